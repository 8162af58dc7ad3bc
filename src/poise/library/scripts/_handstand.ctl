# Balances on the hands: straightens in a given time (ramp) and holds the pose (wait), while a virtual force through both
# wrists draws the centre of mass over the hands. Ends then, or when the trunk leaves the inverted range.
SET ramp = .5
SET wait = 2
SET cd = 2000
SET cv = 300

BEGINSCRIPT handstand(ramp, wait, cd, cv)
PHASE 0
    ACTIONS
        POSE waist(0, 1000, 60), lTorso2uTorso(0, 1000, 60), neck2head(-.3, 200, 20),
             uTorso2neck(0, 100, 10);
        LIPOSE lShoulder(-3.05, 1000, 60).time(ramp);
        LIPOSE rShoulder(-3.05, 1000, 60).time(ramp);
        LIPOSE lElbow(-.05, 1000, 60).time(ramp);
        LIPOSE rElbow(-.05, 1000, 60).time(ramp);
        LIPOSE lWrist(-1.5, 300, 30).time(ramp);
        LIPOSE rWrist(-1.5, 300, 30).time(ramp);
        LIPOSE lHip(0, 1000, 60).time(ramp);
        LIPOSE rHip(0, 1000, 60).time(ramp);
        LIPOSE lKnee(.05, 300, 30).time(ramp);
        LIPOSE rKnee(.05, 300, 30).time(ramp);
        POSE lAnkle(.6, 60, 6), rAnkle(.6, 60, 6);
        VFFB uTorso(cd, cv).by(lWrist).over(cop);
        VFFB uTorso(cd, cv).by(rWrist).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(anglerange -2.5 2.5);
    TRANSITION to(-1).after(time wait);
ENDPHASE
ENDSCRIPT
