# From lying face down to hands and knees: the hands press beside the chest, the arms straighten, the knees come under.
SCRIPTS _hands_and_knees.ctl;

BEGINSCRIPT push_up(void)
PHASE 0
    ACTIONS
        POSE waist(0, 600, 60), lTorso2uTorso(0, 600, 60), neck2head(-.5, 200, 20);
        LIPOSE lShoulder(.6, 300, 30).time(.5);
        LIPOSE rShoulder(.6, 300, 30).time(.5);
        LIPOSE lElbow(-2.3, 300, 30).time(.5);
        LIPOSE rElbow(-2.3, 300, 30).time(.5);
        POSE lHip(0, 600, 60), rHip(0, 600, 60), lKnee(.05, 300, 30), rKnee(.05, 300, 30);
        POSE lAnkle(1, 60, 6), rAnkle(1, 60, 6), lWrist(-1.3, 30, 3), rWrist(-1.3, 30, 3);
    ENDACTIONS
    TRANSITION to(1).after(time .6);
ENDPHASE

PHASE 1
    ACTIONS
        LIPOSE lShoulder(-1.3).time(1.2);
        LIPOSE rShoulder(-1.3).time(1.2);
        LIPOSE lElbow(-.1).time(1.2);
        LIPOSE rElbow(-.1).time(1.2);
        LIPOSE lHip(-.3, 600, 60).time(1);
        LIPOSE rHip(-.3, 600, 60).time(1);
        LIPOSE lKnee(.3, 300, 30).time(1);
        LIPOSE rKnee(.3, 300, 30).time(1);
    ENDACTIONS
    TRANSITION to(2).after(time 1.3);
ENDPHASE

PHASE 2
    > _hands_and_knees.ctl(.2, .8);
    TRANSITION to(3).after(complete);
ENDPHASE

# One hand after the other is set down closer to the knees.
PHASE 3
    ACTIONS
        LIPOSE rElbow(-1, 600, 60).time(.15);
        LIPOSE rShoulder(-.9, 600, 60).time(.2);
    ENDACTIONS
    TRANSITION to(4).after(time .25);
ENDPHASE

PHASE 4
    ACTIONS
        LIPOSE rElbow(-.1, 600, 60).time(.15);
        LIPOSE rShoulder(-1.05, 600, 60).time(.2);
    ENDACTIONS
    TRANSITION to(5).after(time .3);
ENDPHASE

PHASE 5
    ACTIONS
        LIPOSE lElbow(-1, 600, 60).time(.15);
        LIPOSE lShoulder(-.9, 600, 60).time(.2);
    ENDACTIONS
    TRANSITION to(6).after(time .25);
ENDPHASE

PHASE 6
    ACTIONS
        LIPOSE lElbow(-.1, 600, 60).time(.15);
        LIPOSE lShoulder(-1.05, 600, 60).time(.2);
    ENDACTIONS
    TRANSITION to(7).after(time .3);
ENDPHASE

PHASE 7
    > _hands_and_knees.ctl(.3, .8);
    TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
