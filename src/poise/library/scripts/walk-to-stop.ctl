# Walks, slows down to steps on the spot, and stands.
SCRIPTS _gait.ctl, _stand.ctl;

BEGINSCRIPT walk_to_stop(void)
PHASE 0
    > _gait.ctl(.3, 0, -2.2, -.2, 0, 0, -.5, .7, 1.1, .05, .05, .1, -.2, .3);
    TRANSITION to(1).after(iterations 1);
ENDPHASE

PHASE 1
    > _gait.ctl(.3, 0, -2.2, -.2, 0, 0, -.4, .7, 1.1, .05, .05, .1, -.2, .3);
    TRANSITION to(2).after(iterations 2);
ENDPHASE

PHASE 2
    > _gait.ctl(.25, 0, -1.9, -.37, 0, .02, -.4, .04, 1.12, .05, .05, .1, -.02, .2);
    TRANSITION to(3).after(iterations 15);
ENDPHASE

PHASE 3
    > _stand.ctl(.5, 2);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
