# A fast walk, about 1.7 m/s: quicker steps, higher knees and larger arms than the walk.
# The best of 60 draws (numpy's default_rng(1), uniform) of dt .18 to .26, swhe -.9 to -.5, swho .3 to .8, swke 1.2 to
# 1.9, tor 0 to .2, cve -.35 to -.15, ankle -.3 to -.15, cdo -2.4 to -1 that did not fall within 8 s at 0.001 s, by
# speed up to 1.9 m/s; all others as in the walk.
SCRIPTS _gait.ctl;

BEGINSCRIPT fast_walk(void)
PHASE 0
    > _gait.ctl(.23, 0, -2.31, -.24, 0, .01, -.59, .61, 1.84, .05, .05, .1, -.23, .5);
ENDPHASE
ENDSCRIPT
