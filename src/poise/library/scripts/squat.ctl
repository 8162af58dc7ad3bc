# Goes down into a squat in two seconds, arms forward, and stays there, balanced by a virtual force through the ankles.
# If the trunk leans more than 1.2 rad, it gives up.
SET depth = 1.6

BEGINSCRIPT squat(depth)
PHASE 0
    ACTIONS
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 1000, 100), uTorso2neck(0, 100, 10);
        POSE lElbow(-.2, 100, 30), rElbow(-.2, 100, 30), lWrist(0, 5, 3), rWrist(0, 5, 3);
        LIPOSE lShoulder(-1.4, 100, 30).time(2);
        LIPOSE rShoulder(-1.4, 100, 30).time(2);
        LIPOSE lHip(linterp(depth, 0, 1.6, 0, -1.3)).time(2);
        LIPOSE rHip(linterp(depth, 0, 1.6, 0, -1.3)).time(2);
        LIPOSE lKnee(depth).time(2);
        LIPOSE rKnee(depth).time(2);
        LIPOSE lAnkle(linterp(depth, 0, 1.6, 0, -.6)).time(2);
        LIPOSE rAnkle(linterp(depth, 0, 1.6, 0, -.6)).time(2);
        VFFB uTorso(2000, 250).by(lAnkle).over(cop);
        VFFB uTorso(2000, 250).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
