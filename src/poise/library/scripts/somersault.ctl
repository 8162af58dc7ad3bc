# A somersault forward in the air: squats, jumps up and ahead, turns over tucked, opens, lands and stands.
# From standing to standing; a landing that fails is followed by getting up. fx, fy, tp: force of each leg on the trunk and
# its time; lean: to which the hips rotate the trunk meanwhile; arms: shoulders; tuck, fold, tt: hips, knees and time of
# the turn; hip, knee, ankle: before landing; depth, rise: of the squat. Found as the backflip's were, by CMA-ES (package
# cma, seed 1) after 70 uniform draws, with the turn in the other direction.
SCRIPTS _stand.ctl, _squat.ctl, _get_up.ctl;
SET fx = 380
SET fy = 1309
SET tp = .262
SET arms = -.176
SET lean = 1.356
SET tuck = -2.225
SET fold = 2.722
SET tt = .509
SET hip = -1.626
SET knee = 1.956
SET ankle = -1.07
SET depth = 1.656
SET rise = .226

BEGINSCRIPT somersault(fx, fy, tp, arms, lean, tuck, fold, tt, hip, knee, ankle, depth, rise)
PHASE 0
    > _stand.ctl(.3, .5);
    TRANSITION to(7).after(fallen x 1.2);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _squat.ctl(1.6, .8, 1.2);
    TRANSITION to(7).after(fallen x 1.2);
    TRANSITION to(2).after(complete);
ENDPHASE

# Take-off: a virtual force on the trunk through each leg; the hips turn the trunk forward, the arms strike down.
PHASE 2
    ACTIONS
        POSE lShoulder(arms, 300, 30), rShoulder(arms, 300, 30), waist(.2, 600, 30),
             lTorso2uTorso(.2, 600, 30);
        POSE lKnee(.1, 100, 10), rKnee(.1, 100, 10), lAnkle(.3, 100, 10), rAnkle(.3, 100, 10);
        VPD uTorso(lean, 300, 30).joint(lHip);
        VPD uTorso(lean, 300, 30).joint(rHip);
        VF (fx, fy, 0).on(uTorso).by(lAnkle);
        VF (fx, fy, 0).on(uTorso).by(rAnkle);
    ENDACTIONS
    TRANSITION to(3).after(time tp);
ENDPHASE

# Tucked in the air.
PHASE 3
    ACTIONS
        POSE lShoulder(-.6, 300, 30), rShoulder(-.6, 300, 30), waist(.35, 600, 30),
             lTorso2uTorso(.35, 600, 30);
        POSE lHip(tuck, 600, 40), rHip(tuck, 600, 40), lKnee(fold, 600, 40), rKnee(fold, 600, 40);
        POSE lAnkle(0), rAnkle(0), neck2head(.5, 200, 20);
    ENDACTIONS
    TRANSITION to(4).after(time tt);
ENDPHASE

# The legs reach for the ground.
PHASE 4
    ACTIONS
        POSE lHip(hip, 600, 40), rHip(hip, 600, 40), lKnee(knee, 600, 40), rKnee(knee, 600, 40);
        POSE lAnkle(ankle), rAnkle(ankle), waist(0, 600, 30), lTorso2uTorso(0, 600, 30);
    ENDACTIONS
    TRANSITION to(5).after(contact lFoot);
    TRANSITION to(5).after(contact rFoot);
    TRANSITION to(5).after(time .8);
ENDPHASE

PHASE 5
    > _squat.ctl(depth, rise, 1);
    TRANSITION to(7).after(fallen x 1.2);
    TRANSITION to(6).after(complete);
ENDPHASE

PHASE 6
    > _stand.ctl(1, 1.5);
    TRANSITION to(7).after(fallen x 1.2);
ENDPHASE

PHASE 7
    > _get_up.ctl(void);
    TRANSITION to(6).after(complete);
ENDPHASE
ENDSCRIPT
