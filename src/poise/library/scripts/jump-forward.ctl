# Jumps .7 m forward with both legs from a crouch, lands on both feet, and stands.
# From standing to standing; if it falls it gets up. depth: of the crouch; tip, tilt: time in which the body tips forward, and
# the ankles that allow it; lean: to which the hips rotate the trunk at the push; ahead, push, tp: newtons of each leg on
# the trunk and their longest time; arms: shoulders; reach, bend, foot: hips, knees and ankles in flight; land: depth of the
# squat that follows. Written by hand (tip .35, tilt -.8, lean -.1, ahead 100, push 800, arms -2, reach -1.2, bend .8, foot
# -.2, land 1.2), then found, before phase 4 was added, by: poise tune skill jump-forward tip=.28:.45
# tilt=-.95:-.65 lean=-.4:.4 ahead=40:170 push=650:950 arms=-2.8:-1 reach=-1.8:-.8 bend=.2:1.3 foot=-.6:.2 land=.9:1.6
# --cost 3*standing 4*leap:.47 2*fallen:1.1 --starts 3 --change .02,.05 --from-phase 2 --fails 7 --seconds 6
# --evaluations 220 --population 12 --workers 1 --seed 1
SCRIPTS _stand.ctl, _stand_slope.ctl, _squat.ctl, _get_up.ctl;
SET depth = 1.3
SET tip = .353
SET tilt = -.8513
SET lean = -.2141
SET ahead = 95.88
SET push = 840.3
SET tp = .3
SET arms = -2.078
SET reach = -1.122
SET bend = .8105
SET foot = -.1118
SET land = 1.249

BEGINSCRIPT jump_forward(depth, tip, tilt, lean, ahead, push, tp, arms, reach, bend, foot, land)
# Not _stand.ctl: that may step, and with one foot in front of the other the jump lands differently.
PHASE 0
    > _stand_slope.ctl(.5, 1);
    TRANSITION to(8).after(fallen x .7);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _squat.ctl(depth, .8, 1.2);
    TRANSITION to(8).after(fallen x 1.2);
    TRANSITION to(2).after(complete);
ENDPHASE

# The body tips forward with the arms back,
PHASE 2
    ACTIONS
        POSE lShoulder(.6, 200, 20), rShoulder(.6, 200, 20), lAnkle(tilt), rAnkle(tilt);
    ENDACTIONS
    TRANSITION to(3).after(time tip);
ENDPHASE

# pushes off,
PHASE 3
    ACTIONS
        POSE lShoulder(arms, 200, 20), rShoulder(arms, 200, 20);
        POSE lKnee(.1, 100, 10), rKnee(.1, 100, 10), lAnkle(.4, 100, 10), rAnkle(.4, 100, 10);
        VPD uTorso(lean, 400, 40).joint(lHip);
        VPD uTorso(lean, 400, 40).joint(rHip);
        VF (ahead, push, 0).on(uTorso).by(lAnkle);
        VF (ahead, push, 0).on(uTorso).by(rAnkle);
    ENDACTIONS
    TRANSITION to(4).after(nocontact lFoot);
    TRANSITION to(4).after(time tp);
ENDPHASE

# and in the air the legs reach ahead: first until both feet are off,
PHASE 4
    ACTIONS
        POSE lShoulder(-1.2, 100, 30), rShoulder(-1.2, 100, 30);
        POSE lHip(reach), rHip(reach), lKnee(bend), rKnee(bend), lAnkle(foot), rAnkle(foot);
    ENDACTIONS
    TRANSITION to(5).after(time .15);
ENDPHASE

# then until one of them comes down.
PHASE 5
    ACTIONS
        POSE lShoulder(-1.2, 100, 30), rShoulder(-1.2, 100, 30);
        POSE lHip(reach), rHip(reach), lKnee(bend), rKnee(bend), lAnkle(foot), rAnkle(foot);
    ENDACTIONS
    TRANSITION to(6).after(contact lFoot);
    TRANSITION to(6).after(contact rFoot);
    TRANSITION to(6).after(time 1);
ENDPHASE

PHASE 6
    > _squat.ctl(land, .3, .8);
    TRANSITION to(8).after(fallen x 1.2);
    TRANSITION to(7).after(complete);
ENDPHASE

PHASE 7
    > _stand.ctl(1, 1.5);
    TRANSITION to(8).after(fallen x 1.2);
ENDPHASE

PHASE 8
    > _get_up.ctl(void);
    TRANSITION to(7).after(complete);
ENDPHASE
ENDSCRIPT
