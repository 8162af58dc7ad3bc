# Straightens up in a given time (ramp) and waits (wait) until the body is still: arms hanging, and virtual forces through both
# ankles draw the centre of mass between the feet, ahead and to the side. Ends then, or when the trunk leans more than
# 1 rad.
CHARACTER humanoid;
SET ramp = .5
SET wait = 1

BEGINSCRIPT stand(ramp, wait)
PHASE 0
    ACTIONS
        LIPOSE waist((0, 0, 0), 400, 40).time(ramp);
        LIPOSE lTorso2uTorso((0, 0, 0), 400, 40).time(ramp);
        LIPOSE neck2head((0, 0, 0), 40, 4).time(ramp);
        LIPOSE lShoulder((0, .1, 0), 60, 8).time(ramp);
        LIPOSE rShoulder((0, .1, 0), 60, 8).time(ramp);
        LIPOSE lElbow(-.2, 30, 4).time(ramp);
        LIPOSE rElbow(-.2, 30, 4).time(ramp);
        LIPOSE lHip((0, 0, 0), 600, 60).time(ramp);
        LIPOSE rHip((0, 0, 0), 600, 60).time(ramp);
        LIPOSE lKnee(.05, 600, 60).time(ramp);
        LIPOSE rKnee(.05, 600, 60).time(ramp);
        LIPOSE lAnkle((-.04, 0), 200, 20).time(ramp);
        LIPOSE rAnkle((-.04, 0), 200, 20).time(ramp);
        VFFB uTorso(1200, 250).side(1000, 200).by(lAnkle).over(feet);
        VFFB uTorso(1200, 250).side(1000, 200).by(rAnkle).over(feet);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1);
    TRANSITION to(1).after(time wait);
ENDPHASE

PHASE 1
    ACTIONS
        VFFB uTorso(1200, 250).side(1000, 200).by(lAnkle).over(feet);
        VFFB uTorso(1200, 250).side(1000, 200).by(rAnkle).over(feet);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1);
    TRANSITION to(-1).after(stable .03);
    TRANSITION to(-1).after(time 3);
ENDPHASE
ENDSCRIPT
