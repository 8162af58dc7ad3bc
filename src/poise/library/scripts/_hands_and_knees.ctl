# The pose on hands and knees, reached in a given time (ramp): trunk level, thighs and arms upright, toes stretched. It
# is held for another time (wait), and ends.
SET ramp = .5
SET wait = 1

BEGINSCRIPT hands_and_knees(ramp, wait)
PHASE 0
    ACTIONS
        POSE waist(0, 600, 60), lTorso2uTorso(0, 600, 60), neck2head(-.4, 200, 20),
             uTorso2neck(0, 100, 10);
        LIPOSE lShoulder(-1.4, 600, 60).time(ramp);
        LIPOSE rShoulder(-1.4, 600, 60).time(ramp);
        LIPOSE lElbow(-.1, 600, 60).time(ramp);
        LIPOSE rElbow(-.1, 600, 60).time(ramp);
        LIPOSE lWrist(-1.4, 60, 6).time(ramp);
        LIPOSE rWrist(-1.4, 60, 6).time(ramp);
        LIPOSE lHip(-1.4).time(ramp);
        LIPOSE rHip(-1.4).time(ramp);
        LIPOSE lKnee(1.5).time(ramp);
        LIPOSE rKnee(1.5).time(ramp);
        LIPOSE lAnkle(1, 100, 10).time(ramp);
        LIPOSE rAnkle(1, 100, 10).time(ramp);
    ENDACTIONS
    TRANSITION to(-1).after(time wait);
ENDPHASE
ENDSCRIPT
