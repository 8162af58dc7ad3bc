# From hands and knees down onto the belly: the arms bend, the legs stretch. Ends lying face down, hands beside the chest.

BEGINSCRIPT lie_down(void)
PHASE 0
    ACTIONS
        POSE waist(0, 600, 60), lTorso2uTorso(0, 600, 60), neck2head(-.5, 200, 20);
        LIPOSE lShoulder(.6, 300, 30).time(1);
        LIPOSE rShoulder(.6, 300, 30).time(1);
        LIPOSE lElbow(-2.3, 300, 30).time(1);
        LIPOSE rElbow(-2.3, 300, 30).time(1);
        LIPOSE lHip(0, 600, 60).time(1.2);
        LIPOSE rHip(0, 600, 60).time(1.2);
        LIPOSE lKnee(.05, 300, 30).time(1.2);
        LIPOSE rKnee(.05, 300, 30).time(1.2);
        POSE lAnkle(1, 60, 6), rAnkle(1, 60, 6);
        POSE lWrist(-1, 20, 3), rWrist(-1, 20, 3);
    ENDACTIONS
    TRANSITION to(-1).after(time 2);
ENDPHASE
ENDSCRIPT
