# Goes down into a squat in two seconds, arms forward, and stays there, balanced by a virtual force through the ankles.
SCRIPTS _squat.ctl, _stand.ctl;
SET depth = 1.6

BEGINSCRIPT squat(depth)
PHASE 0
    > _stand.ctl(.3, .5);
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _squat.ctl(depth, 2, 2.5);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
