# From standing down to hands and knees: squats, bows until the hands are on the ground, and lets the knees come down.
SCRIPTS _squat.ctl, _hands_and_knees.ctl;

BEGINSCRIPT stand_to_hands_and_knees(void)
PHASE 0
    > _squat.ctl(1.6, 1, 1.2);
    TRANSITION to(-1).after(fallen x 1.4);
    TRANSITION to(1).after(complete);
ENDPHASE

# The trunk goes down between the knees, and the arms reach for the ground.
PHASE 1
    ACTIONS
        POSE waist(.2, 600, 60), lTorso2uTorso(.2, 600, 60), neck2head(-.5, 200, 20);
        LIPOSE lHip(-2.1).time(.6);
        LIPOSE rHip(-2.1).time(.6);
        LIPOSE lKnee(1.8).time(.6);
        LIPOSE rKnee(1.8).time(.6);
        LIPOSE lShoulder(-1.7, 400, 40).time(.4);
        LIPOSE rShoulder(-1.7, 400, 40).time(.4);
        POSE lElbow(-.1, 300, 30), rElbow(-.1, 300, 30), lWrist(-.8, 60, 6), rWrist(-.8, 60, 6);
        POSE lAnkle(-1, 300, 30), rAnkle(-1, 300, 30);
    ENDACTIONS
    TRANSITION to(2).after(contact lHand);
    TRANSITION to(2).after(contact rHand);
    TRANSITION to(2).after(time 1.5);
ENDPHASE

PHASE 2
    > _hands_and_knees.ctl(.7, 1.5);
    TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
