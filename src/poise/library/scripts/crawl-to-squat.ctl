# From hands and knees to a squat: sets one foot after the other behind the hands, pushes off with them, and squats.
# Starts on hands and knees, ends in a squat; from standing it goes down first.
SCRIPTS _stand.ctl, _stand_to_hands_and_knees.ctl, _hands_and_knees.ctl, _crawl_to_squat.ctl, _squat.ctl;

BEGINSCRIPT crawl_to_squat(void)
PHASE 0
    TRANSITION to(5).after(anglerange 1 2.2);
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
    > _crawl_to_squat.ctl(528, -1323, .179, -2.37, 1.932, -.424, -1.549, .978);
    TRANSITION to(2).after(fallen x 1.2);
    TRANSITION to(4).after(complete);
ENDPHASE

PHASE 4
    > _squat.ctl(1.6, .5, 1);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE

PHASE 5
    > _hands_and_knees.ctl(.3, .6);
    TRANSITION to(3).after(complete);
ENDPHASE
ENDSCRIPT
