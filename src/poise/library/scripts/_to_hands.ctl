# From standing into a handstand, with the values found for it; ends there, or after a fall.
SCRIPTS _kick_up.ctl;

BEGINSCRIPT to_hands(void)
PHASE 0
    > _kick_up.ctl(.09, .7, .2011, 1.758, .5, 1.18, .07292, -1.737, -2.901, -1.993, .236, .9495,
                   .355, -.8676, .1422, .5008, 3365, 802.4, 1.614, .3167);
    TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
