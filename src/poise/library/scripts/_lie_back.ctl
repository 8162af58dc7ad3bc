# From standing down onto the back: squats low, sits down behind its heels, and lies down with straight legs.
SCRIPTS _squat.ctl;

BEGINSCRIPT lie_back(void)
PHASE 0
    > _squat.ctl(2, 1, 1.2);
    TRANSITION to(1).after(complete);
ENDPHASE

# It rolls back, rounded, the arms reaching behind.
PHASE 1
    ACTIONS
        POSE waist(.3, 300, 30), lTorso2uTorso(.3, 300, 30), neck2head(.5, 200, 20);
        POSE lHip(-2.2, 300, 30), rHip(-2.2, 300, 30), lKnee(2.4, 300, 30), rKnee(2.4, 300, 30);
        POSE lAnkle(.3, 300, 30), rAnkle(.3, 300, 30), lShoulder(-.6, 100, 10),
             rShoulder(-.6, 100, 10);
        POSE lElbow(-.2, 100, 10), rElbow(-.2, 100, 10);
    ENDACTIONS
    TRANSITION to(2).after(fallen < -1);
    TRANSITION to(2).after(time 2.5);
ENDPHASE

PHASE 2
    ACTIONS
        POSE waist(0, 300, 30), lTorso2uTorso(0, 300, 30), neck2head(.3, 200, 20);
        LIPOSE lHip(0, 300, 30).time(.8);
        LIPOSE rHip(0, 300, 30).time(.8);
        LIPOSE lKnee(.05, 200, 20).time(.8);
        LIPOSE rKnee(.05, 200, 20).time(.8);
        LIPOSE lShoulder(0, 60, 10).time(.6);
        LIPOSE rShoulder(0, 60, 10).time(.6);
        POSE lAnkle(.3, 60, 6), rAnkle(.3, 60, 6);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.8);
ENDPHASE
ENDSCRIPT
