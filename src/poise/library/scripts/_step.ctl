# One step forward: the right foot goes ahead, the left one is drawn up to it. lift, reach: the right thigh, in the world,
# when the foot is lifted and put down; follow, place: the left one; knee: bend of the right knee; lean: of the trunk;
# ankle: of both legs in the first half; catch: gain of the left thigh on the velocity of the centre of mass.
SET lift = -.364
SET reach = .496
SET follow = -.503
SET knee = .623
SET place = -.314
SET lean = -.026
SET ankle = -.242
SET catch = -.109

BEGINSCRIPT step(lift, reach, follow, knee, place, lean, ankle, catch)
# The body tips forward over the left ankle, and the right foot leaves the ground.
PHASE 0
    ACTIONS
        POSE rKnee(knee), lKnee(.05), lAnkle(ankle), rAnkle(ankle);
        VPD uTorso(lean, 1000, 100).joint(lHip);
        COMFB2 0 -.2 j rAnkle
        VPD rThigh(lift, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time .3);
ENDPHASE

# It reaches for the ground.
PHASE 1
    ACTIONS
        POSE rKnee(.05), lKnee(.1), lAnkle(ankle), rAnkle(ankle);
        VPD uTorso(lean, 1000, 100).joint(lHip);
        COMFB2 -2.2 0 j rAnkle
        VPD rThigh(reach, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
ENDPHASE

# The left one follows,
PHASE 2
    ACTIONS
        POSE lKnee(1.1), rKnee(.05), rAnkle(-.02), lAnkle(-.02);
        VPD uTorso(lean, 1000, 100).joint(rHip);
        COMFB2 0 catch j lAnkle
        VPD lThigh(follow, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time .25);
ENDPHASE

# and comes down where the body is caught.
PHASE 3
    ACTIONS
        POSE lKnee(.05), rKnee(.1), rAnkle(-.02), lAnkle(-.02);
        VPD uTorso(lean, 1000, 100).joint(rHip);
        COMFB2 -1.9 0 j lAnkle
        VPD lThigh(place, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact lFoot);
ENDPHASE
ENDSCRIPT
