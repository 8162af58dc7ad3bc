# Stays on hands and knees.
# Starts on hands and knees, and ends there; from standing it goes down first.
SCRIPTS _stand.ctl, _stand_to_hands_and_knees.ctl, _hands_and_knees.ctl;

BEGINSCRIPT hands_and_knees(void)
PHASE 0
    TRANSITION to(3).after(anglerange 1 2.2);
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
    > _hands_and_knees.ctl(.5, 1);
ENDPHASE
ENDSCRIPT
