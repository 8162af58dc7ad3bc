# Straightens the legs in a given time (ramp) and waits (wait) until the body is still, balanced by a virtual force through
# both ankles that draws the centre of mass over what touches the ground. Ends then, or when the trunk leans more than
# 1.2 rad. If it tips over its heels or its toes, it catches itself by steps,
# and stands again.
SCRIPTS _gait.ctl;
SET ramp = 1
SET wait = 1.5

BEGINSCRIPT stand(ramp, wait)
PHASE 0
    ACTIONS
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 1000, 100),
             uTorso2neck(0, 100, 10);
        POSE lElbow(-.2, 100, 30), rElbow(-.2, 100, 30), lWrist(0, 5, 3), rWrist(0, 5, 3);
        LIPOSE lShoulder(0, 100, 30).time(ramp);
        LIPOSE rShoulder(0, 100, 30).time(ramp);
        LIPOSE lHip(0).time(ramp);
        LIPOSE rHip(0).time(ramp);
        LIPOSE lKnee(.05).time(ramp);
        LIPOSE rKnee(.05).time(ramp);
        LIPOSE lAnkle(0, 300, 30).time(ramp);
        LIPOSE rAnkle(0, 300, 30).time(ramp);
        VFFB uTorso(2000, 250).by(lAnkle).over(cop);
        VFFB uTorso(2000, 250).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(3).after(fallen < -.1);
    TRANSITION to(1).after(time wait);
ENDPHASE

PHASE 1
    ACTIONS
        VFFB uTorso(2000, 250).by(lAnkle).over(cop);
        VFFB uTorso(2000, 250).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(3).after(fallen x .15);
    TRANSITION to(4).after(stable .02);
    TRANSITION to(3).after(time 3);
ENDPHASE

# Steps on the spot, as in walk-in-place.
PHASE 2
    > _gait.ctl(.25, 0, -1.9, -.37, 0, .02, -.4, .04, 1.12, .05, .05, .1, -.02, .2);
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(0).after(iterations 3);
ENDPHASE

# The first two steps, as in backward-walk: a body tips over its heels, which reach less far than the toes.
PHASE 3
    > _gait.ctl(.31, 0, -.39, -.22, 0, -.14, -.44, .31, 1.16, .05, .05, .1, .06, .2);
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(2).after(complete);
ENDPHASE

# A body that is still may be balancing on its heels: then it leans back a little.
PHASE 4
    TRANSITION to(-1).after(anglerange -.03 .5);
    TRANSITION to(3).after(complete);
ENDPHASE
ENDSCRIPT
