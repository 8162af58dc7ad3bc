# Bounds from one leg to the other with high knees, at 1.5 m/s: it is in the air about half of the time.
# Starts standing, with two steps of high-step.ctl: from a start that leans back, bounds would go backward. Lift, push off,
# float, strike, and the same with the other leg. tl, tp, tf: their times; lift, float, strike, knee: thigh, in the world,
# and knee of the leg in the air; cd, cv: gains of the thigh on position and velocity of the centre of mass; push: ankle at
# the push; crouch: stance knee. Found by CMA-ES (package cma, seed 1) after 30 uniform draws at 0.001 s from three
# changed starts of the whole script, then without those steps, for flight in at least 0.12 of the time and 1.2 m/s.
SCRIPTS _gait.ctl;
SET TORQUELIMIT = 200
SET tl = .147
SET tp = .102
SET tf = .234
SET lift = -1.286
SET knee = .898
SET float = -.081
SET strike = .092
SET cd = -1.601
SET cv = -.335
SET lean = .097
SET push = .74
SET crouch = .137

BEGINSCRIPT bound(tl, tp, tf, lift, knee, float, strike, cd, cv, lean, push, crouch)
# Two steps to come forward,
PHASE 0
    > _gait.ctl(.31, 0, -.61, -.2, 0, .04, -.93, .41, 1.82, .05, .05, .1, -.05, .4);
    TRANSITION to(1).after(complete);
ENDPHASE

# then right knee up on the left leg,
PHASE 1
    ACTIONS
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 100, 10),
             uTorso2neck(0, 100, 10);
        POSE lElbow(-.5, 100, 30), rElbow(-.5, 100, 30), lWrist(0, 5, 3), rWrist(0, 5, 3);
        POSE lShoulder(-.6, 100, 30), rShoulder(.5, 100, 30);
        POSE rKnee(knee), lKnee(crouch), lAnkle(-.2), rAnkle(-.1);
        VPD uTorso(lean, 1000, 100).joint(lHip);
        COMFB2 0 cv j rAnkle
        VPD rThigh(lift, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(time tl);
ENDPHASE

# the push,
PHASE 2
    ACTIONS
        POSE rKnee(knee), lKnee(.02, 600, 40), lAnkle(push, 600, 30);
        VPD uTorso(lean, 1000, 100).joint(lHip);
        COMFB2 0 cv j rAnkle
        VPD rThigh(lift, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time tp);
ENDPHASE

# in the air,
PHASE 3
    ACTIONS
        POSE rKnee(.6), lKnee(.15), lAnkle(-.1), rAnkle(-.1);
        VPD uTorso(lean, 1000, 100).joint(lHip);
        COMFB2 0 cv j rAnkle
        VPD rThigh(float, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(time tf);
ENDPHASE

# and down onto the other.
PHASE 4
    ACTIONS
        POSE rKnee(.1), lKnee(.1), lAnkle(-.2), rAnkle(-.1);
        VPD uTorso(lean, 1000, 100).joint(lHip);
        COMFB2 cd 0 j rAnkle
        VPD rThigh(strike, -300, -30).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(5).after(contact rFoot);
ENDPHASE

# Left knee up on the right leg,
PHASE 5
    ACTIONS
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 100, 10),
             uTorso2neck(0, 100, 10);
        POSE lElbow(-.5, 100, 30), rElbow(-.5, 100, 30), lWrist(0, 5, 3), rWrist(0, 5, 3);
        POSE rShoulder(-.6, 100, 30), lShoulder(.5, 100, 30);
        POSE lKnee(knee), rKnee(crouch), rAnkle(-.2), lAnkle(-.1);
        VPD uTorso(lean, 1000, 100).joint(rHip);
        COMFB2 0 cv j lAnkle
        VPD lThigh(lift, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(6).after(time tl);
ENDPHASE

# the push,
PHASE 6
    ACTIONS
        POSE lKnee(knee), rKnee(.02, 600, 40), rAnkle(push, 600, 30);
        VPD uTorso(lean, 1000, 100).joint(rHip);
        COMFB2 0 cv j lAnkle
        VPD lThigh(lift, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(7).after(time tp);
ENDPHASE

# in the air,
PHASE 7
    ACTIONS
        POSE lKnee(.6), rKnee(.15), rAnkle(-.1), lAnkle(-.1);
        VPD uTorso(lean, 1000, 100).joint(rHip);
        COMFB2 0 cv j lAnkle
        VPD lThigh(float, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(8).after(time tf);
ENDPHASE

# and down onto the other.
PHASE 8
    ACTIONS
        POSE lKnee(.1), rKnee(.1), rAnkle(-.2), lAnkle(-.1);
        VPD uTorso(lean, 1000, 100).joint(rHip);
        COMFB2 cd 0 j lAnkle
        VPD lThigh(strike, -300, -30).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(contact lFoot);
ENDPHASE
ENDSCRIPT
