# Tips over the left foot, which stands in front, until the hands are on the ground: the arms go up, trunk and right leg
# tip over the left hip like a seesaw, and the left knee bends.
# lean, behind, ankle, td: of the trunk, of the right thigh (both in the world), of the left ankle, for a time; then
# down, rear, bend, dip, first: trunk, right hip, left knee, left ankle and shoulders until a hand touches the ground.
SET lean = .1
SET behind = .7
SET ankle = -.2
SET td = .28
SET down = 1.96
SET rear = .5
SET bend = .8
SET dip = -.33
SET first = -1.6

BEGINSCRIPT tip_over(lean, behind, ankle, td, down, rear, bend, dip, first)
# The arms go up and the right leg stays behind as the body falls over the left foot.
PHASE 0
    ACTIONS
        POSE lShoulder(-2.6, 200, 20), rShoulder(-2.6, 200, 20), lElbow(-.1, 300, 30),
             rElbow(-.1, 300, 30);
        POSE lWrist(-1, 60, 6), rWrist(-1, 60, 6), neck2head(-.3, 200, 20);
        POSE lKnee(.2, 300, 30), rKnee(.7), lAnkle(ankle, 300, 30), rAnkle(.2);
        VPD uTorso(lean, 600, 60).joint(lHip);
        VPD rThigh(behind, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time td);
ENDPHASE

# The trunk falls, held back only by a weak servo: a strong one would lift the foot.
PHASE 1
    ACTIONS
        POSE lShoulder(first, 600, 40), rShoulder(first, 600, 40), lWrist(-1.3, 60, 6),
             rWrist(-1.3, 60, 6);
        POSE lKnee(bend, 600, 60), rKnee(.1, 300, 30), rAnkle(.6), lAnkle(dip, 300, 30);
        POSE waist(.1, 600, 60), lTorso2uTorso(.1, 600, 60);
        POSE rHip(rear, 300, 30);
        VPD uTorso(down, 60, 10).joint(lHip);
    ENDACTIONS
    TRANSITION to(-1).after(contact lHand);
    TRANSITION to(-1).after(contact rHand);
    TRANSITION to(-1).after(time 1.2);
ENDPHASE
ENDSCRIPT
