# From standing down to hands and knees: squats, bows until the hands are on the ground, and lets the knees come down.
# Starts standing, ends on hands and knees.
SCRIPTS _stand.ctl, _stand_to_hands_and_knees.ctl, _hands_and_knees.ctl;

BEGINSCRIPT stand_to_hands_and_knees(void)
PHASE 0
    > _stand.ctl(.3, .5);
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _stand_to_hands_and_knees.ctl(void);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 2
    > _hands_and_knees.ctl(.5, 1);
ENDPHASE
ENDSCRIPT
