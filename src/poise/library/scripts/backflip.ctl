# A backflip: squats, jumps up and back with the arms thrown overhead, turns over tucked, opens, lands and stands.
# From standing to standing, on ground that slopes by -5 to 8 degrees; a landing that fails is followed by getting up.
# fx, fy, tp: force of each leg on the trunk and its time; lean: to which the hips rotate the trunk meanwhile; arms: shoulders;
# tuck, fold, tt: hips, knees and time of the turn; hip, knee, ankle: before landing; depth: of the squat. Found by CMA-ES
# (package cma, seed 1) after 40 uniform draws, 392 evaluations in all, each from three starts of the take-off, two at
# 0.001 s and one at 0.0005 s, one changed by 0.01 rad and 0.03 rad/s; the cost is the trunk's angle when the feet come down,
# 15 per radian off a whole turn, plus the distance from a squat afterwards.
# For slopes the landing got blocks that hold the shanks in the world, and seven values were found again by two searches, the
# last from fx -288.9, fy 954.8, tt .5515, hip -1.43, knee 1.244, ankle -.6556, depth 1.499 by: poise tune skill
# backflip fx=-310:-275 fy=940:970 tt=.54:.565 hip=-1.55:-1.3 knee=1.1:1.4 ankle=-.85:-.5 depth=1.35:1.6 --cost standing
# 3*turned:-1 3*fallen:7 --starts 1 --place 20 --terrains slope:A,start=10,length=30 (with A -5, 0, 2, 3, 6 and 8)
# --from-phase 1 --fails 6 --seconds 5.5 --timestep .0005 --shake .03 --evaluations 73 --population 8 --sigma-part .1
# --workers 1 --seed 3
# Later the hips got feedback from the centre of mass at the start of the first squat and in the landing, and the squat was
# made 0.5 s longer, to make flips begin alike. hip and tt were then set by hand, from -1.437 and .5493, on -5, -4, 0, 4 and 8
# degrees from starts 2003 to 2007; the feedback of the squat and finally hip also by starts 1004, 1012, 1017 and 3013 on flat ground,
# after starts 1001 to 1005 had been seen on slopes.
SCRIPTS _squat_caught.ctl, _land_slope.ctl, _stand_slope.ctl, _get_up.ctl;
SET TORQUELIMIT = 1000
SET fx = -289.8
SET fy = 957.8
SET tp = .203
SET arms = -2.591
SET lean = -.763
SET tuck = -2.518
SET fold = 2.593
SET tt = .554
SET hip = -1.46
SET knee = 1.27
SET ankle = -.6353
SET depth = 1.501

BEGINSCRIPT backflip(fx, fy, tp, arms, lean, tuck, fold, tt, hip, knee, ankle, depth)
PHASE 0
    > _squat_caught.ctl(2.7);
    TRANSITION to(6).after(fallen x 1.2);
    TRANSITION to(1).after(complete);
ENDPHASE

# Take-off: a virtual force on the trunk, up and back, through each leg; the hips turn the trunk back.
PHASE 1
    ACTIONS
        POSE lShoulder(arms, 300, 30), rShoulder(arms, 300, 30), waist(-.2, 600, 30),
             lTorso2uTorso(-.2, 600, 30);
        POSE lKnee(.1, 100, 10), rKnee(.1, 100, 10), lAnkle(.3, 100, 10), rAnkle(.3, 100, 10);
        VPD uTorso(lean, 300, 30).joint(lHip);
        VPD uTorso(lean, 300, 30).joint(rHip);
        VF (fx, fy, 0).on(uTorso).by(lAnkle);
        VF (fx, fy, 0).on(uTorso).by(rAnkle);
    ENDACTIONS
    TRANSITION to(2).after(time tp);
ENDPHASE

# Tucked in the air.
PHASE 2
    ACTIONS
        POSE lShoulder(-1, 300, 30), rShoulder(-1, 300, 30), waist(.3, 600, 30),
             lTorso2uTorso(.3, 600, 30);
        POSE lHip(tuck, 600, 40), rHip(tuck, 600, 40), lKnee(fold, 600, 40), rKnee(fold, 600, 40);
        POSE lAnkle(0), rAnkle(0), neck2head(.2, 200, 20);
    ENDACTIONS
    TRANSITION to(3).after(time tt);
ENDPHASE

# The legs reach for the ground.
PHASE 3
    ACTIONS
        POSE lHip(hip, 600, 40), rHip(hip, 600, 40), lKnee(knee, 600, 40), rKnee(knee, 600, 40);
        POSE lAnkle(ankle), rAnkle(ankle), waist(0, 600, 30), lTorso2uTorso(0, 600, 30);
    ENDACTIONS
    TRANSITION to(4).after(contact lFoot);
    TRANSITION to(4).after(contact rFoot);
    TRANSITION to(4).after(time .8);
ENDPHASE

PHASE 4
    > _land_slope.ctl(depth, .3, .8);
    TRANSITION to(6).after(fallen x 1.2);
    TRANSITION to(5).after(complete);
ENDPHASE

PHASE 5
    > _stand_slope.ctl(1, 1.5);
    TRANSITION to(6).after(fallen x 1.2);
ENDPHASE

PHASE 6
    > _get_up.ctl(void);
    TRANSITION to(5).after(complete);
ENDPHASE
ENDSCRIPT
