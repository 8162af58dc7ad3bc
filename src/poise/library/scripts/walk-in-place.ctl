# Steps on the spot. If the trunk leans back at the start, the first two steps go back, as in backward-walk: it would tip
# over its heels before a step on the spot ends.
# The best of 60 draws (numpy's default_rng(2), uniform) of dt .2 to .35, swhe -.6 to -.2, swho 0 to .6, swke .9 to 1.6,
# tor -.05 to .05, cve -.4 to -.1, ankle -.1 to .08, cdo -2.4 to -.3 that did not fall within 8 s at 0.001 s, by the
# least speed; all others as in the walk.
SCRIPTS _gait.ctl;

BEGINSCRIPT walk_in_place(void)
PHASE 0
    TRANSITION to(1).after(fallen < -.03);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 1
    > _gait.ctl(.31, 0, -.39, -.22, 0, -.14, -.44, .31, 1.16, .05, .05, .1, .06, .2);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 2
    > _gait.ctl(.25, 0, -1.9, -.37, 0, .02, -.4, .04, 1.12, .05, .05, .1, -.02, .2);
ENDPHASE
ENDSCRIPT
