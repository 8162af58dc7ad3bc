# From a handstand to lying on the back: falls forward over the hands, gives way with the arms, rolls down over the
# rounded back, and stretches.

BEGINSCRIPT roll_down(void)
# The body leans until it falls.
PHASE 0
    ACTIONS
        POSE neck2head(.6, 400, 40), lHip(0, 1000, 60), rHip(0, 1000, 60);
        VF (80, 0, 0).on(uTorso).by(lWrist);
        VF (80, 0, 0).on(uTorso).by(rWrist);
    ENDACTIONS
    TRANSITION to(1).after(anglerange -2.85 -1);
    TRANSITION to(1).after(time 1.5);
ENDPHASE

# The arms give way.
PHASE 1
    ACTIONS
        POSE waist(.39, 600, 60), lTorso2uTorso(.39, 600, 60), neck2head(.75, 400, 40);
        LIPOSE lElbow(-2, 200, 30).time(.3);
        LIPOSE rElbow(-2, 200, 30).time(.3);
        LIPOSE lShoulder(-2.4, 200, 30).time(.3);
        LIPOSE rShoulder(-2.4, 200, 30).time(.3);
        LIPOSE lHip(-1.5, 300, 30).time(.4);
        LIPOSE rHip(-1.5, 300, 30).time(.4);
        LIPOSE lKnee(.8, 300, 30).time(.4);
        LIPOSE rKnee(.8, 300, 30).time(.4);
    ENDACTIONS
    TRANSITION to(2).after(anglerange -1.9 0);
    TRANSITION to(2).after(time 1);
ENDPHASE

# Lying straight.
PHASE 2
    ACTIONS
        LIPOSE waist(0, 300, 30).time(.5);
        LIPOSE lTorso2uTorso(0, 300, 30).time(.5);
        POSE neck2head(.3, 200, 20);
        LIPOSE lHip(0, 300, 30).time(.8);
        LIPOSE rHip(0, 300, 30).time(.8);
        LIPOSE lKnee(.05, 200, 20).time(.8);
        LIPOSE rKnee(.05, 200, 20).time(.8);
        LIPOSE lShoulder(0, 60, 10).time(.8);
        LIPOSE rShoulder(0, 60, 10).time(.8);
        LIPOSE lElbow(-.2, 60, 10).time(.8);
        LIPOSE rElbow(-.2, 60, 10).time(.8);
        POSE lWrist(0, 5, 3), rWrist(0, 5, 3), lAnkle(.3, 60, 6), rAnkle(.3, 60, 6);
    ENDACTIONS
    TRANSITION to(-1).after(time 1.8);
ENDPHASE
ENDSCRIPT
