# Straightens the legs in a given time (ramp) and waits (wait) until the body is still, on ground that may slope: the shanks are held
# upright in the world, whatever the feet stand on, and a virtual force draws the centre of mass over what touches the ground.
# Ends then, or when the trunk leans more than .8 rad.
SET ramp = 1
SET wait = 1.5

BEGINSCRIPT stand_slope(ramp, wait)
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
        VPD lShin(.2, 100, 10).joint(lAnkle);
        VPD rShin(.2, 100, 10).joint(rAnkle);
        LIPOSE lAnkle(0, 200, 20).time(ramp);
        LIPOSE rAnkle(0, 200, 20).time(ramp);
        VFFB uTorso(2000, 250).by(lAnkle).over(cop);
        VFFB uTorso(2000, 250).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(1).after(time wait);
ENDPHASE

PHASE 1
    ACTIONS
        VPD lShin(.07, 200, 20).joint(lAnkle);
        VPD rShin(.07, 200, 20).joint(rAnkle);
        POSE lAnkle(0, 100, 10), rAnkle(0, 100, 10);
        VFFB uTorso(2000, 250).by(lAnkle).over(cop);
        VFFB uTorso(2000, 250).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x .8);
    TRANSITION to(-1).after(stable .02);
ENDPHASE
ENDSCRIPT
