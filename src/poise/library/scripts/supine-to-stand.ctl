# From lying on the back to standing: turns over backward onto hands and knees, sets its feet, pushes off, squats, rises.
# Starts on the back, ends standing; from standing it lies down first.
SCRIPTS _stand.ctl, _lie_back.ctl, _get_up.ctl;

BEGINSCRIPT supine_to_stand(void)
PHASE 0
    TRANSITION to(3).after(anglerange -2.4 -1);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _stand.ctl(.3, .5);
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 2
    > _lie_back.ctl(void);
    TRANSITION to(3).after(complete);
ENDPHASE

PHASE 3
    > _get_up.ctl(void);
    TRANSITION to(4).after(complete);
ENDPHASE

PHASE 4
    > _stand.ctl(1, 1.5);
    TRANSITION to(3).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
