# One step up: the right foot is lifted, carried over the step and put down, a virtual force draws the centre of mass over it,
# and the left foot follows [Firmin15 §3.5, whose listing ends where the foot comes down]. x, y: where the right foot's middle
# goes, in the world; over: how high above that it is carried; lean, shift, push, draw: trunk, time, left ankle and newtons per
# metre while the left leg pushes the body over the right foot; rise, cd, cv: time in which the right leg straightens, and its
# force on position and velocity; hold, still: the same on one leg.
SET x = .4
SET y = .175
SET over = .1545
SET lean = .04114
SET shift = .4442
SET rise = .4046
SET push = .2721
SET draw = 368.5
SET cd = 379.4
SET cv = 120.8
SET hold = 528.9
SET still = 416.2

BEGINSCRIPT step_up(x, y, over, lean, shift, rise, push, draw, cd, cv, hold, still)
# The right foot goes up, and the weight stays over the left one.
PHASE 0
    ACTIONS
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 1000, 100);
        IK rFoot.targetlocal(.05, -.55, 0).base(rHip);
        VPD rFoot(0, -1000, -100).joint(rAnkle);
        VPD uTorso(0, 600, 60).joint(lHip);
        VFFB uTorso(3000, 250).by(lAnkle).over(lFoot);
    ENDACTIONS
    TRANSITION to(1).after(time .3);
ENDPHASE

# It goes over the step,
PHASE 1
    ACTIONS
        IK rFoot.targetglobal(x, linterp(y, 0, 1, over, linterp(over, 0, 1, 1, 2)), -10).base(rHip).tolerance(.001);
        VPD rFoot(0, -1000, -100).joint(rAnkle);
        VPD uTorso(0, 600, 60).joint(lHip);
        VFFB uTorso(3000, 250).by(lAnkle).over(lFoot);
    ENDACTIONS
    TRANSITION to(2).after(time .4);
ENDPHASE

# and down onto it.
PHASE 2
    ACTIONS
        IK rFoot.targetglobal(x, linterp(y, 0, 1, -.03, .97), -10).base(rHip).tolerance(.001);
        VPD rFoot(0, -1000, -100).joint(rAnkle);
        VPD uTorso(0, 600, 60).joint(lHip);
        VFFB uTorso(3000, 250).by(lAnkle).over(lFoot);
    ENDACTIONS
    TRANSITION to(3).after(contact rFoot);
    TRANSITION to(3).after(time 1);
ENDPHASE

# The left leg pushes the centre of mass over the leading foot,
PHASE 3
    ACTIONS
        POSE rHip(-1.2, 60, 10), rKnee(1.1, 60, 10), rAnkle(-.2, 30, 10);
        POSE lKnee(.05, 600, 60), lAnkle(push, 200, 20);
        VPD uTorso(lean, 600, 60).joint(lHip);
        VFFB uTorso(draw, 0).by(lAnkle).over(rFoot);
    ENDACTIONS
    TRANSITION to(4).after(time shift);
ENDPHASE

# and the right leg straightens,
PHASE 4
    ACTIONS
        LIPOSE rKnee(.1, 1000, 100).time(rise);
        POSE lKnee(.3), lAnkle(.3, 300, 30), rAnkle(0, 100, 10);
        VPD uTorso(lean, 600, 60).joint(rHip);
        VFFB uTorso(cd, cv).by(rAnkle).over(rFoot);
    ENDACTIONS
    TRANSITION to(5).after(time rise);
ENDPHASE

# The left foot is lifted behind the edge,
PHASE 5
    ACTIONS
        LIPOSE lKnee(1.6, 300, 30).time(.3);
        LIPOSE rKnee(.1, 1000, 100).time(.4);
        POSE lAnkle(-.3), rAnkle(0, 100, 10);
        VPD lThigh(.35, -300, -30).joint(lHip);
        VPD uTorso(linterp(lean, 0, 1, 0, .5), 300, 60).joint(rHip);
        VFFB uTorso(hold, still).by(rAnkle).over(rFoot);
    ENDACTIONS
    TRANSITION to(6).after(time .4);
ENDPHASE

# comes forward,
PHASE 6
    ACTIONS
        LIPOSE lKnee(1, 300, 30).time(.3);
        POSE lAnkle(-.2);
        VPD lThigh(-.5, -150, -30).joint(lHip);
        VPD uTorso(0, 300, 60).joint(rHip);
        VFFB uTorso(hold, still).by(rAnkle).over(rFoot);
    ENDACTIONS
    TRANSITION to(7).after(time .4);
ENDPHASE

# and is put down beside the other.
PHASE 7
    ACTIONS
        LIPOSE lHip(-.05, 600, 60).time(.5);
        LIPOSE lKnee(.1, 600, 60).time(.5);
        VPD lFoot(0, -300, -30).joint(lAnkle);
        VPD uTorso(0, 300, 60).joint(rHip);
        VFFB uTorso(hold, still).by(rAnkle).over(rFoot);
    ENDACTIONS
    TRANSITION to(-1).after(contact lFoot);
    TRANSITION to(-1).after(time 1);
ENDPHASE
ENDSCRIPT
