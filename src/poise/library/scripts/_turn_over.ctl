# From lying on the back to hands and knees, backward over the head: the arms press beside the body while the folded legs
# go over the head, the body tips over, and the knees come down behind it.
SCRIPTS _hands_and_knees.ctl;
SET push = -450
SET tp = .25
SET tf = .5

BEGINSCRIPT turn_over(push, tp, tf)
# The legs fold up, the arms press.
PHASE 0
    ACTIONS
        POSE waist(.2, 600, 60), lTorso2uTorso(.2, 600, 60), neck2head(.3, 200, 20);
        LIPOSE lShoulder(1.2, 1000, 60).time(.8);
        LIPOSE rShoulder(1.2, 1000, 60).time(.8);
        POSE lElbow(-.05, 600, 60), rElbow(-.05, 600, 60), lWrist(.8, 60, 6), rWrist(.8, 60, 6);
        LIPOSE lHip(-1.9, 600, 60).time(.8);
        LIPOSE rHip(-1.9, 600, 60).time(.8);
        LIPOSE lKnee(2.6, 600, 60).time(.8);
        LIPOSE rKnee(2.6, 600, 60).time(.8);
        LIPOSE lAnkle(-.4, 300, 30).time(.8);
        LIPOSE rAnkle(-.4, 300, 30).time(.8);
    ENDACTIONS
    TRANSITION to(1).after(time 1.3);
ENDPHASE

# The hands push the body over the head.
PHASE 1
    ACTIONS
        POSE waist(.39, 600, 60), lTorso2uTorso(.39, 600, 60);
        POSE lShoulder(1.5, 100, 10), rShoulder(1.5, 100, 10);
        POSE lHip(-2.3, 1000, 60), rHip(-2.3, 1000, 60), lAnkle(-.6, 300, 30),
             rAnkle(-.6, 300, 30);
        VF (-150, push, 0).on(lHand).by(lShoulder);
        VF (-150, push, 0).on(rHand).by(rShoulder);
    ENDACTIONS
    TRANSITION to(2).after(time tp);
ENDPHASE

# The arms come before the chest, the knees come down.
PHASE 2
    ACTIONS
        POSE lShoulder(-1.2, 300, 20), rShoulder(-1.2, 300, 20), lElbow(-1.6, 300, 30),
             rElbow(-1.6, 300, 30);
        LIPOSE lHip(-1.5, 1000, 60).time(.5);
        LIPOSE rHip(-1.5, 1000, 60).time(.5);
        LIPOSE lKnee(1.3, 300, 30).time(.5);
        LIPOSE rKnee(1.3, 300, 30).time(.5);
        POSE lWrist(-1.2, 60, 6), rWrist(-1.2, 60, 6), lAnkle(.8, 100, 10), rAnkle(.8, 100, 10);
    ENDACTIONS
    TRANSITION to(3).after(contact lShin);
    TRANSITION to(3).after(contact lFoot);
    TRANSITION to(3).after(time 1.2);
ENDPHASE

PHASE 3
    > _hands_and_knees.ctl(tf, 1.2);
    TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
