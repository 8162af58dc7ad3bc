# A kip: from lying on the back it folds the legs over the shoulders, throws them up and ahead, pushes off with the hands
# beside the head, flies onto its feet, balances by steps, and stands.
# Starts on the back, ends standing; from standing it lies down first, and a landing that fails is followed by getting up.
# fold, knee, round, tf: hips, knees, back and time as the legs fold; arm, elbow: where the hands are set down; throw, ahead:
# hips as the legs are thrown, and the time before the hands push; fx, fy, tp: push of each hand, in newtons, and its time;
# arch: back; hip, bend, ankle: before landing; fall, depth, dip, rise: hips, knees, ankles and time after it.
# The last thirteen were found from values set by hand by six searches, for a body upright on its feet; the last one, in which
# the spread was 0.06 of each range, was: poise tune skill kip throw=-.6:.6 ahead=.05:.25 fx=-400:400
# fy=-1000:-200 tp=.1:.4 arch=-.39:0 hip=-1.4:.6 bend=.4:2.4 ankle=-1:.3 depth=.05:2.2 rise=.1:1 fall=-1.8:0 dip=-1:.2
# --cost 6*turned:0 5*knocked 6*short:3.3 4*fallen 3*upright --shake .05 --from-phase 4 --fails 10 --starts 4 --seconds 3.3
# --sigma-part .06 --population 10 --evaluations 150 --timestep .0005 --seed 7
SCRIPTS _stand.ctl, _gait.ctl, _lie_back.ctl, _get_up.ctl;
SET TORQUELIMIT = 1000
SET fold = -2.2
SET knee = .6
SET round = .35
SET tf = .7
SET arm = -2.5
SET elbow = -2.2
SET throw = .5898
SET ahead = .2137
SET fx = 100.7
SET fy = -747.8
SET tp = .1667
SET arch = -.2211
SET hip = -1.36
SET bend = 1.506
SET ankle = -.8899
SET depth = .7446
SET rise = .1011
SET fall = -.1605
SET dip = -.3676

BEGINSCRIPT kip(fold, knee, round, tf, arm, elbow, throw, ahead, fx, fy, tp, arch, hip, bend, ankle, depth, rise, fall, dip)
PHASE 0
    TRANSITION to(3).after(anglerange -2.4 -1);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _stand.ctl(.3, .5);
    TRANSITION to(10).after(fallen x 1.2);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 2
    > _lie_back.ctl(void);
    TRANSITION to(3).after(complete);
ENDPHASE

# The legs fold over the shoulders, the hands are set down beside the head, and it waits until it lies still.
PHASE 3
    ACTIONS
        LIPOSE waist(round, 600, 60).time(tf);
        LIPOSE lTorso2uTorso(round, 600, 60).time(tf);
        LIPOSE lHip(fold, 600, 60).time(tf);
        LIPOSE rHip(fold, 600, 60).time(tf);
        LIPOSE lKnee(knee, 300, 30).time(tf);
        LIPOSE rKnee(knee, 300, 30).time(tf);
        POSE lAnkle(.3), rAnkle(.3), neck2head(.3, 200, 20), uTorso2neck(0, 100, 10);
        LIPOSE lShoulder(arm, 300, 30).time(.4);
        LIPOSE rShoulder(arm, 300, 30).time(.4);
        LIPOSE lElbow(elbow, 300, 30).time(.4);
        LIPOSE rElbow(elbow, 300, 30).time(.4);
        POSE lWrist(-1.3, 60, 6), rWrist(-1.3, 60, 6);
    ENDACTIONS
    TRANSITION to(4).after(time 1.8);
ENDPHASE

# The legs are thrown.
PHASE 4
    ACTIONS
        POSE lHip(throw, 1000, 40), rHip(throw, 1000, 40), lKnee(.1, 600, 40), rKnee(.1, 600, 40);
        POSE lAnkle(.3), rAnkle(.3);
    ENDACTIONS
    TRANSITION to(5).after(time ahead);
ENDPHASE

# The hands push off.
PHASE 5
    ACTIONS
        POSE waist(arch, 1000, 60), lTorso2uTorso(arch, 1000, 60), neck2head(.6, 200, 20);
        POSE lShoulder(-3, 100, 10), rShoulder(-3, 100, 10), lElbow(-.1, 100, 10),
             rElbow(-.1, 100, 10);
        VF (fx, fy, 0).on(lHand).by(lShoulder);
        VF (fx, fy, 0).on(rHand).by(rShoulder);
    ENDACTIONS
    TRANSITION to(6).after(time tp);
ENDPHASE

# The feet reach under the body.
PHASE 6
    ACTIONS
        POSE lHip(hip, 600, 40), rHip(hip, 600, 40), lKnee(bend, 600, 40), rKnee(bend, 600, 40);
        POSE lAnkle(ankle, 300, 30), rAnkle(ankle, 300, 30), lShoulder(-1.5, 300, 20),
             rShoulder(-1.5, 300, 20);
    ENDACTIONS
    TRANSITION to(7).after(contact lFoot);
    TRANSITION to(7).after(contact rFoot);
    TRANSITION to(7).after(time .8);
ENDPHASE

# The legs give way and rise again, the arms ahead.
PHASE 7
    ACTIONS
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 1000, 100);
        POSE lElbow(-.2, 100, 30), rElbow(-.2, 100, 30), lShoulder(-1.4, 100, 30),
             rShoulder(-1.4, 100, 30);
        LIPOSE lHip(fall, 1000, 100).time(rise);
        LIPOSE rHip(fall, 1000, 100).time(rise);
        LIPOSE lKnee(depth, 1000, 100).time(rise);
        LIPOSE rKnee(depth, 1000, 100).time(rise);
        LIPOSE lAnkle(dip, 300, 30).time(rise);
        LIPOSE rAnkle(dip, 300, 30).time(rise);
        VFFB uTorso(2000, 250).by(lAnkle).over(cop);
        VFFB uTorso(2000, 250).by(rAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(8).after(time rise);
ENDPHASE

# Steps on the spot until it is balanced.
PHASE 8
    > _gait.ctl(.25, 0, -1.9, -.37, 0, .02, -.4, .04, 1.12, .05, .05, .1, -.02, .2);
    TRANSITION to(10).after(fallen x 1.2);
    TRANSITION to(9).after(iterations 11);
ENDPHASE

PHASE 9
    > _stand.ctl(.5, 2);
    TRANSITION to(10).after(fallen x 1.2);
ENDPHASE

PHASE 10
    > _get_up.ctl(void);
    TRANSITION to(9).after(complete);
ENDPHASE
ENDSCRIPT
