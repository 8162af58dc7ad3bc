# A steady walk: the published planar walk of SIMBICON with the signs of this language. It begins from standing with two
# cycles in which the thigh is lifted further.
# The values are those of [Firmin15 §3.7] with cve = -.2, printed as -2; the first thigh and the arms are our own.
SCRIPTS _gait.ctl;

BEGINSCRIPT walk(void)
PHASE 0
    > _gait.ctl(.3, 0, -2.2, -.2, 0, 0, -.5, .7, 1.1, .05, .05, .1, -.2, .3);
    TRANSITION to(1).after(iterations 1);
ENDPHASE

PHASE 1
    > _gait.ctl(.3, 0, -2.2, -.2, 0, 0, -.4, .7, 1.1, .05, .05, .1, -.2, .3);
ENDPHASE
ENDSCRIPT
