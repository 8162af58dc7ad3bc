# Steps up onto a block of 12 cm: shifts its weight onto the left leg, sets the right foot on the block, shifts its weight
# onto that, brings the left foot up beside it, and stands.
# The SET values move the weight from the left foot to the right one: the time for each half of the shift (half); forces
# that draw it there and slow it down (pull, brake); the right leg at the end (lean of the hip, bend of the knee, over of
# the ankle), and the left ankle (push); how both legs lean to the side, halfway (half_in, half_out) and at the end
# (inward, outward). They were found by CMA-ES (package cma, population 8, seed 1, 28 evaluations at 0.001 s after
# 160 from two starts, from three starts in phase 5 changed by 0.02 rad and 0.1 rad/s) for a centre of mass at rest over
# the right foot when phase 7 begins. All other numbers were found by hand.
SCRIPTS _humanoid_stand.ctl;
CHARACTER humanoid;
ENVIRONMENT humanoid-block.env;
SET half = 1.558
SET pull = 76.2
SET brake = 439
SET lean = -.795
SET bend = .923
SET over = -.346
SET push = .198
SET half_in = -.046
SET half_out = .065
SET inward = -.187
SET outward = .142

BEGINSCRIPT stepup(half, pull, brake, lean, bend, over, push, half_in, half_out, inward, outward)
PHASE 0
    > _humanoid_stand.ctl(.3, .5);
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(1).after(complete);
ENDPHASE

# To the left, until the weight is over the left foot: both legs lean, the soles stay flat.
PHASE 1
    ACTIONS
        LIPOSE left_hip_roll(-.08, 1000, 80).time(1.5);
        LIPOSE right_hip_roll(.08, 1000, 80).time(1.5);
        LIPOSE left_ankle_roll(.08, 100, 10).time(1.5);
        LIPOSE right_ankle_roll(-.08, 100, 10).time(1.5);
        VFFB uTorso(1200, 250).side(200, 600).by(lAnkle).over(lFoot);
        VFFB uTorso(1200, 250).side(200, 600).by(rAnkle).over(lFoot);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(2).after(time 2);
ENDPHASE

# The right foot leaves the ground, the knee goes up;
PHASE 2
    ACTIONS
        LIPOSE left_hip_roll(-.03, 1000, 80).time(.3);
        LIPOSE rHip((-1.15, .1, 0), 600, 60).time(.8);
        LIPOSE rKnee(1.6, 600, 60).time(.8);
        LIPOSE rAnkle((-.3, 0), 100, 10).time(.8);
        VFFB uTorso(2400, 500).side(1000, 600).by(lAnkle).over(lFoot);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(3).after(time .9);
ENDPHASE

# the foot goes ahead,
PHASE 3
    ACTIONS
        LIPOSE rHip((-1, .1, 0), 600, 60).time(.6);
        LIPOSE rKnee(.75, 600, 60).time(.6);
        LIPOSE rAnkle((.1, 0), 100, 10).time(.6);
        VFFB uTorso(2400, 500).side(1000, 600).by(lAnkle).over(lFoot);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(4).after(time .7);
ENDPHASE

# and down onto the block.
PHASE 4
    ACTIONS
        LIPOSE rHip((-.75, .1, 0), 600, 60).time(.8);
        LIPOSE rKnee(.6, 600, 60).time(.8);
        LIPOSE rAnkle((.15, 0), 100, 10).time(.8);
        LIPOSE left_hip_pitch(-.2, 1000, 80).time(.8);
        LIPOSE lKnee(.4, 1000, 80).time(.8);
        LIPOSE left_ankle_pitch(-.2, 200, 20).time(.8);
        VFFB uTorso(2400, 500).side(1000, 600).by(lAnkle).over(lFoot);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(5).after(contact rFoot);
    TRANSITION to(5).after(contact right_toes);
    TRANSITION to(5).after(time 1.5);
ENDPHASE

# The weight shifts to the right foot: first half of it,
PHASE 5
    ACTIONS
        LIPOSE rHip((-.91, half_in, 0), 1000, 80).time(half);
        LIPOSE rKnee(.95, 1000, 80).time(half);
        LIPOSE rAnkle((-.21, .05), 200, 20).time(half);
        LIPOSE lHip((0, half_out, 0), 1000, 80).time(half);
        LIPOSE lKnee(.05, 1000, 80).time(half);
        LIPOSE lAnkle((-.1, -.05), 300, 30).time(half);
        VFFB uTorso(pull, 150).side(200, 600).by(lAnkle).over(rFoot);
        VFFB uTorso(0, 150).side(200, 600).by(rAnkle).over(rFoot);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(6).after(time half);
ENDPHASE

# then all of it, the left foot on its toes.
PHASE 6
    ACTIONS
        LIPOSE rHip((lean, inward, 0), 1000, 80).time(half);
        LIPOSE rKnee(bend, 1000, 80).time(half);
        LIPOSE rAnkle((over, .1), 200, 20).time(half);
        LIPOSE lHip((0, outward, 0), 1000, 80).time(half);
        LIPOSE lKnee(.2, 1000, 80).time(half);
        LIPOSE lAnkle((push, -.1), 300, 30).time(half);
        VFFB uTorso(pull, 150).side(300, 600).by(lAnkle).over(rFoot);
        VFFB uTorso(brake, 400).side(300, 600).by(rAnkle).over(rFoot);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(7).after(time half);
ENDPHASE

# The left foot leaves the ground, its heel first,
PHASE 7
    ACTIONS
        LIPOSE lHip((-.1, .1, 0), 600, 60).time(.6);
        LIPOSE lKnee(1.6, 600, 60).time(.6);
        LIPOSE lAnkle((-.2, 0), 100, 10).time(.6);
        LIPOSE right_hip_roll(-.05, 1000, 80).time(.3);
        VFFB uTorso(2400, 500).side(1000, 600).by(rAnkle).over(rFoot);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(8).after(time .6);
ENDPHASE

# swings ahead while the right leg stretches,
PHASE 8
    ACTIONS
        LIPOSE lHip((-.9, .1, 0), 600, 60).time(1);
        LIPOSE lKnee(1.4, 600, 60).time(1);
        LIPOSE right_hip_pitch(-.25, 1000, 80).time(1.2);
        LIPOSE rKnee(.4, 1000, 80).time(1.2);
        LIPOSE right_ankle_pitch(-.18, 200, 20).time(1.2);
        VFFB uTorso(2400, 500).side(1000, 600).by(rAnkle).over(rFoot);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(9).after(time 1.3);
ENDPHASE

# and comes down beside it.
PHASE 9
    ACTIONS
        LIPOSE lHip((-.25, .1, 0), 600, 60).time(1);
        LIPOSE lKnee(.35, 600, 60).time(1);
        LIPOSE lAnkle((-.1, 0), 100, 10).time(1);
        VFFB uTorso(2400, 500).side(1000, 600).by(rAnkle).over(rFoot);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.3);
    TRANSITION to(10).after(contact lFoot);
    TRANSITION to(10).after(time 1.5);
ENDPHASE

PHASE 10
    > _humanoid_stand.ctl(1.5, 2);
    TRANSITION to(-1).after(fallen x 1.3);
ENDPHASE
ENDSCRIPT
