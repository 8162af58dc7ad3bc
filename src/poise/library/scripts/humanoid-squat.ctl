# Squats in space: goes down in two seconds, arms forward, stays there for a while, rises again and stands.
SCRIPTS _humanoid_stand.ctl, _humanoid_squat.ctl;
CHARACTER humanoid;
SET depth = 1.6

BEGINSCRIPT squat(depth)
PHASE 0
    > _humanoid_stand.ctl(.3, .5);
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _humanoid_squat.ctl(depth, 2, 2.5);
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 2
    > _humanoid_stand.ctl(2, 2.5);
    TRANSITION to(-1).after(fallen x 1.3);
ENDPHASE
ENDSCRIPT
