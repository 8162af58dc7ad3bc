# Goes down until the knees bend by depth, in a given time (ramp), arms forward, and waits (wait) until the body is still.
# Ends then, or when the trunk leans more than 1.2 rad.
SET depth = 1.6
SET ramp = 2
SET wait = 2.5

BEGINSCRIPT squat(depth, ramp, wait)
PHASE 0
    ACTIONS
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 1000, 100),
             uTorso2neck(0, 100, 10);
        POSE lElbow(-.2, 100, 30), rElbow(-.2, 100, 30), lWrist(0, 5, 3), rWrist(0, 5, 3);
        LIPOSE lShoulder(-1.4, 100, 30).time(ramp);
        LIPOSE rShoulder(-1.4, 100, 30).time(ramp);
        LIPOSE lHip(linterp(depth, 0, 1.6, 0, -1.3)).time(ramp);
        LIPOSE rHip(linterp(depth, 0, 1.6, 0, -1.3)).time(ramp);
        LIPOSE lKnee(depth).time(ramp);
        LIPOSE rKnee(depth).time(ramp);
        LIPOSE lAnkle(linterp(depth, 0, 1.6, 0, -.6), 300, 30).time(ramp);
        LIPOSE rAnkle(linterp(depth, 0, 1.6, 0, -.6), 300, 30).time(ramp);
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
