# Walks with bent knees and the trunk bowed forward, at 1.4 m/s.
# From standing, after two cycles of the walk; if it falls it gets up. The values are those of _gait.ctl; knee is that of
# the stance leg, and of the other leg when it is put down. Chosen by hand from about 40 runs of 8 to 10 s at 0.001 s from
# starts 1 and 5: with a trunk that leans more, or ankles that bend, it runs.
SCRIPTS _gait.ctl, _get_up.ctl;
SET dt = .3
SET cdo = -2.2
SET cve = -.2
SET tor = .3
SET swhe = -.55
SET swho = .2
SET swke = 1.2
SET knee = .45
SET ankle = .03

BEGINSCRIPT bent_walk(dt, cdo, cve, tor, swhe, swho, swke, knee, ankle)
# Two cycles of the walk lead in.
PHASE 0
    > _gait.ctl(.3, 0, -2.2, -.2, 0, 0, -.5, .7, 1.1, .05, .05, .1, -.2, .3);
    TRANSITION to(2).after(fallen x 1.2);
    TRANSITION to(1).after(iterations 1);
ENDPHASE

PHASE 1
    > _gait.ctl(dt, 0, cdo, cve, 0, tor, swhe, swho, swke, knee, knee, knee, ankle, .3);
    TRANSITION to(2).after(fallen x 1.2);
ENDPHASE

PHASE 2
    > _get_up.ctl(void);
    TRANSITION to(0).after(complete);
ENDPHASE
ENDSCRIPT
