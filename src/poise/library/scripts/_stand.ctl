# Straightens the legs in a time (ramp) and waits (wait) until the body is still, balanced by a virtual force through
# both ankles that draws the centre of mass over what touches the ground. Ends then.
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
    TRANSITION to(1).after(time wait);
ENDPHASE

PHASE 1
    ACTIONS
        VFFB uTorso(2000, 250).by(lAnkle).over(cop);
        VFFB uTorso(2000, 250).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(stable .02);
ENDPHASE
ENDSCRIPT
