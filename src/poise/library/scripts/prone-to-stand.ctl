# From lying face down to standing: pushes itself up to hands and knees, sets its feet, pushes off, squats and rises.
# Starts on the belly, ends standing; from standing it lies down first.
SCRIPTS _stand.ctl, _stand_to_hands_and_knees.ctl, _lie_down.ctl, _get_up.ctl;

BEGINSCRIPT prone_to_stand(void)
PHASE 0
    TRANSITION to(4).after(anglerange 1 2.4);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _stand.ctl(.3, .5);
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 2
    > _stand_to_hands_and_knees.ctl(void);
    TRANSITION to(3).after(complete);
ENDPHASE

PHASE 3
    > _lie_down.ctl(void);
    TRANSITION to(4).after(complete);
ENDPHASE

PHASE 4
    > _get_up.ctl(void);
    TRANSITION to(5).after(complete);
ENDPHASE

PHASE 5
    > _stand.ctl(1, 1.5);
    TRANSITION to(4).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
