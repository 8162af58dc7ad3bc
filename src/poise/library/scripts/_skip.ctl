# One cycle of a skip: on each leg a hop that lands on the same foot, and a step onto the other. It begins when the left
# foot has just been put down. tl, tp, tr: times of lifting the other knee, of the push and of rolling over the foot after the
# hop; lift, knee: thigh, in the world, and knee of the leg that is lifted; push, crouch: ankle at the push and knee before
# it; under, cdh, cvh: thigh of the leg that hops, in flight, and its gains on position and velocity of the centre of mass;
# reach, cv: thigh of the other leg before it comes down, and its gain on the velocity; strike, cd: when it comes down,
# and its gain on the position; lean: of the trunk.
SET tl = .2003
SET tp = .05777
SET tr = .1649
SET lift = -.939
SET knee = 1.317
SET under = -.1103
SET strike = .3638
SET cdh = -.5108
SET cvh = -.2735
SET cd = -1.962
SET cv = -.1436
SET lean = .1576
SET push = .3089
SET crouch = .4086
SET reach = -.4069

BEGINSCRIPT skip_cycle(tl, tp, tr, lift, knee, under, strike, cdh, cvh, cd, cv, lean, push, crouch, reach)
# On the left leg: the other knee comes up,
PHASE 0
    ACTIONS
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 100, 10),
             uTorso2neck(0, 100, 10);
        POSE lElbow(-.6, 100, 30), rElbow(-.6, 100, 30), lWrist(0, 5, 3), rWrist(0, 5, 3);
        POSE lShoulder(-.7, 100, 30), rShoulder(.5, 100, 30);
        POSE rKnee(knee), lKnee(crouch, 600, 40), lAnkle(-.2), rAnkle(0);
        VPD uTorso(lean, 1000, 100).joint(lHip);
        COMFB2 0 cv j rAnkle
        VPD rThigh(lift, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time tl);
ENDPHASE

# the push,
PHASE 1
    ACTIONS
        POSE rKnee(knee), lKnee(.02, 800, 30), lAnkle(push, 600, 30);
        VPD uTorso(lean, 1000, 100).joint(lHip);
        VPD rThigh(lift, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time tp);
ENDPHASE

# the flight, in which the same leg is put under the body,
PHASE 2
    ACTIONS
        POSE rKnee(knee), lKnee(.25, 600, 40), lAnkle(-.1), rAnkle(0);
        VPD rThigh(lift, -300, -30).joint(rHip);
        COMFB2 cdh cvh j lAnkle
        VPD lThigh(under, -300, -30).joint(lHip);
    ENDACTIONS
    TRANSITION to(3).after(contact lFoot);
    TRANSITION to(4).after(contact rFoot);
ENDPHASE

# the body rolls over it while the other leg reaches ahead,
PHASE 3
    ACTIONS
        POSE rKnee(.5), lKnee(.2, 600, 40), lAnkle(-.15), rAnkle(-.1);
        VPD uTorso(lean, 1000, 100).joint(lHip);
        COMFB2 0 cv j rAnkle
        VPD rThigh(reach, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(time tr);
ENDPHASE

# and comes down.
PHASE 4
    ACTIONS
        POSE rKnee(.1), lKnee(.15, 600, 40), lAnkle(-.1), rAnkle(-.1);
        VPD uTorso(lean, 1000, 100).joint(lHip);
        COMFB2 cd 0 j rAnkle
        VPD rThigh(strike, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(5).after(contact rFoot);
ENDPHASE

# On the right leg: the other knee comes up,
PHASE 5
    ACTIONS
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 100, 10),
             uTorso2neck(0, 100, 10);
        POSE lElbow(-.6, 100, 30), rElbow(-.6, 100, 30), lWrist(0, 5, 3), rWrist(0, 5, 3);
        POSE rShoulder(-.7, 100, 30), lShoulder(.5, 100, 30);
        POSE lKnee(knee), rKnee(crouch, 600, 40), rAnkle(-.2), lAnkle(0);
        VPD uTorso(lean, 1000, 100).joint(rHip);
        COMFB2 0 cv j lAnkle
        VPD lThigh(lift, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(6).after(time tl);
ENDPHASE

# the push,
PHASE 6
    ACTIONS
        POSE lKnee(knee), rKnee(.02, 800, 30), rAnkle(push, 600, 30);
        VPD uTorso(lean, 1000, 100).joint(rHip);
        VPD lThigh(lift, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(7).after(time tp);
ENDPHASE

# the flight, in which the same leg is put under the body,
PHASE 7
    ACTIONS
        POSE lKnee(knee), rKnee(.25, 600, 40), rAnkle(-.1), lAnkle(0);
        VPD lThigh(lift, -300, -30).joint(lHip);
        COMFB2 cdh cvh j rAnkle
        VPD rThigh(under, -300, -30).joint(rHip);
    ENDACTIONS
    TRANSITION to(8).after(contact rFoot);
    TRANSITION to(9).after(contact lFoot);
ENDPHASE

# the body rolls over it while the other leg reaches ahead,
PHASE 8
    ACTIONS
        POSE lKnee(.5), rKnee(.2, 600, 40), rAnkle(-.15), lAnkle(-.1);
        VPD uTorso(lean, 1000, 100).joint(rHip);
        COMFB2 0 cv j lAnkle
        VPD lThigh(reach, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(9).after(time tr);
ENDPHASE

# and comes down.
PHASE 9
    ACTIONS
        POSE lKnee(.1), rKnee(.15, 600, 40), rAnkle(-.1), lAnkle(-.1);
        VPD uTorso(lean, 1000, 100).joint(rHip);
        COMFB2 cd 0 j lAnkle
        VPD lThigh(strike, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(-1).after(contact lFoot);
ENDPHASE
ENDSCRIPT
