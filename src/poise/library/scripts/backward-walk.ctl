# Walks backward at half a metre per second, the trunk leaning back a little.
# The best of 80 draws (numpy's default_rng(3), uniform) of dt .2 to .35, swhe -.5 to 0, swho 0 to .8, swke .8 to 1.5,
# tor -.25 to 0, cve -.4 to -.1, ankle -.1 to .12, cdo -2.4 to -.3 that did not fall within 8 s at 0.001 s, closest to
# -0.5 m/s; all others as in the walk.
SCRIPTS _gait.ctl;

BEGINSCRIPT backward_walk(void)
PHASE 0
    > _gait.ctl(.31, 0, -.39, -.22, 0, -.14, -.44, .31, 1.16, .05, .05, .1, .06, .2);
ENDPHASE
ENDSCRIPT
