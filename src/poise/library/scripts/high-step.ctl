# Walks with high knees.
# The best of 60 draws (numpy's default_rng(5), uniform) of dt .25 to .35, swhe -1.2 to -.9, swho .2 to .8, swke 1.6 to
# 2.2, tor 0 to .1, cve -.4 to -.1, ankle -.25 to 0, cdo -2.4 to -.5 that fell neither on ordinary nor on firm ground
# within 12 s at 0.001 s, closest to 1 m/s on both; all others as in the walk.
SCRIPTS _gait.ctl;

BEGINSCRIPT high_step(void)
PHASE 0
    > _gait.ctl(.31, 0, -.61, -.2, 0, .04, -.93, .41, 1.82, .05, .05, .1, -.05, .4);
ENDPHASE
ENDSCRIPT
