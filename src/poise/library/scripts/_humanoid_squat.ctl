# Goes down until the knees bend by depth, in a given time (ramp), arms forward, and waits (wait) until the body is still.
# Ends then, or when the trunk leans more than 1.3 rad.
CHARACTER humanoid;
SET depth = 1.6
SET ramp = 2
SET wait = 2.5

BEGINSCRIPT squat(depth, ramp, wait)
PHASE 0
    ACTIONS
        LIPOSE waist((linterp(depth, 0, 1.6, 0, .05), 0, 0), 400, 40).time(ramp);
        LIPOSE lTorso2uTorso((linterp(depth, 0, 1.6, 0, .05), 0, 0), 400, 40).time(ramp);
        LIPOSE neck2head((linterp(depth, 0, 1.6, 0, -.3), 0, 0), 40, 4).time(ramp);
        LIPOSE lShoulder((linterp(depth, 0, 1.6, 0, -1.4), .1, 0), 60, 8).time(ramp);
        LIPOSE rShoulder((linterp(depth, 0, 1.6, 0, -1.4), .1, 0), 60, 8).time(ramp);
        LIPOSE lHip((linterp(depth, 0, 1.6, 0, -1.2), .05, 0), 600, 60).time(ramp);
        LIPOSE rHip((linterp(depth, 0, 1.6, 0, -1.2), .05, 0), 600, 60).time(ramp);
        LIPOSE lKnee(depth, 600, 60).time(ramp);
        LIPOSE rKnee(depth, 600, 60).time(ramp);
        LIPOSE lAnkle((linterp(depth, 0, 1.6, 0, -.6), -.05), 200, 20).time(ramp);
        LIPOSE rAnkle((linterp(depth, 0, 1.6, 0, -.6), -.05), 200, 20).time(ramp);
        VFFB uTorso(1200, 250).side(1000, 200).by(lAnkle).over(feet);
        VFFB uTorso(1200, 250).side(1000, 200).by(rAnkle).over(feet);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(1).after(time wait);
ENDPHASE

PHASE 1
    ACTIONS
        VFFB uTorso(1200, 250).side(1000, 200).by(lAnkle).over(feet);
        VFFB uTorso(1200, 250).side(1000, 200).by(rAnkle).over(feet);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(-1).after(stable .03);
    TRANSITION to(-1).after(time 3);
ENDPHASE
ENDSCRIPT
