# Gets up after a fall, from the belly or from the back, and stands. If it did not fall, it stands at once.
SCRIPTS _stand.ctl, _turn_over.ctl, _push_up.ctl, _crawl_to_squat.ctl;

BEGINSCRIPT get_up(void)
PHASE 0
    TRANSITION to(1).after(anglerange -2.4 -1);
    TRANSITION to(2).after(anglerange 1 2.4);
    TRANSITION to(4).after(complete);
ENDPHASE

# On the back,
PHASE 1
    > _turn_over.ctl(-450, .25, .5);
    TRANSITION to(3).after(complete);
ENDPHASE

# or on the belly.
PHASE 2
    > _push_up.ctl(void);
    TRANSITION to(3).after(complete);
ENDPHASE

PHASE 3
    > _crawl_to_squat.ctl(528, -1323, .179, -2.37, 1.932, -.424, -1.549, .978);
    TRANSITION to(0).after(fallen x 1.2);
    TRANSITION to(4).after(complete);
ENDPHASE

PHASE 4
    > _stand.ctl(1, 1.5);
    TRANSITION to(0).after(fallen x 1);
    TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
