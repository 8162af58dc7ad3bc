# From lying on the back to hands and knees, backward over the head: the arms press beside the body while the folded legs
# go over the head, the body tips over, and the knees come down behind it. push, back, tp: newtons of each hand, down and
# back, and their time; fold, tuck: hips while the legs fold and at the push; round: waist at the push; reach, drop:
# shoulders and hips when the knees come down; tf: time to hands and knees. The values are those of supine-to-stand.ctl.
SCRIPTS _hands_and_knees.ctl;
SET push = -464.5
SET tp = .151
SET tf = .8541
SET back = -86.34
SET fold = -1.459
SET tuck = -2.236
SET round = .362
SET reach = -1.136
SET drop = -1.01
BEGINSCRIPT turn_over(push, tp, tf, back, fold, tuck, round, reach, drop)
# The legs fold up, the arms press.
PHASE 0
    ACTIONS
        POSE waist(.2, 600, 60), lTorso2uTorso(.2, 600, 60), neck2head(.3, 200, 20);
        LIPOSE lShoulder(1.2, 1000, 60).time(.8);
        LIPOSE rShoulder(1.2, 1000, 60).time(.8);
        POSE lElbow(-.05, 600, 60), rElbow(-.05, 600, 60), lWrist(.8, 60, 6), rWrist(.8, 60, 6);
        LIPOSE lHip(fold, 600, 60).time(.8);
        LIPOSE rHip(fold, 600, 60).time(.8);
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
        POSE waist(round, 600, 60), lTorso2uTorso(round, 600, 60);
        POSE lShoulder(1.5, 100, 10), rShoulder(1.5, 100, 10);
        POSE lHip(tuck, 1000, 60), rHip(tuck, 1000, 60), lAnkle(-.6, 300, 30),
             rAnkle(-.6, 300, 30);
        VF (back, push, 0).on(lHand).by(lShoulder);
        VF (back, push, 0).on(rHand).by(rShoulder);
    ENDACTIONS
    TRANSITION to(2).after(time tp);
ENDPHASE

# The arms come before the chest, the knees come down.
PHASE 2
    ACTIONS
        POSE lShoulder(reach, 300, 20), rShoulder(reach, 300, 20), lElbow(-1.6, 300, 30),
             rElbow(-1.6, 300, 30);
        LIPOSE lHip(drop, 1000, 60).time(.5);
        LIPOSE rHip(drop, 1000, 60).time(.5);
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
