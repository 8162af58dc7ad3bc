# Stands: the legs straighten in a second, and a virtual force through both ankles keeps the centre of mass over the
# feet.
BEGINSCRIPT stand(void)
PHASE 0
    ACTIONS
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 1000, 100), uTorso2neck(0, 100, 10);
        POSE lShoulder(0, 100, 30), rShoulder(0, 100, 30), lElbow(-.2, 100, 30), rElbow(-.2, 100, 30);
        POSE lWrist(0, 5, 3), rWrist(0, 5, 3);
        LIPOSE lHip(0).time(1);
        LIPOSE rHip(0).time(1);
        LIPOSE lKnee(.05).time(1);
        LIPOSE rKnee(.05).time(1);
        LIPOSE lAnkle(0).time(1);
        LIPOSE rAnkle(0).time(1);
        VFFB uTorso(2000, 250).by(lAnkle).over(cop);
        VFFB uTorso(2000, 250).by(rAnkle).over(cop);
    ENDACTIONS
ENDPHASE
ENDSCRIPT
