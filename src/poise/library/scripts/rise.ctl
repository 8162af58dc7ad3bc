# Squats, rises again and stands.
SCRIPTS _squat.ctl, _stand.ctl;
SET depth = 1.6

BEGINSCRIPT rise(depth)
PHASE 0
    > _stand.ctl(.3, .5);
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _squat.ctl(depth, 2, 2.5);
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 2
    > _stand.ctl(1.5, 2);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
