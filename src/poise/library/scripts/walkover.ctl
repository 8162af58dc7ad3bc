# A forward walkover: walks a few steps, tips over the front leg onto the hands, the legs pass over them split, one after the
# other, it comes up on its feet, walks on, and stands.
# From standing to standing; phase 2 can be entered from a walk, when the left foot comes down in front. A landing that
# fails is followed by getting up. lean to first: see `_tip_over.ctl`; press, kick, tk, push: shoulders, left hip, time and
# left ankle as the left leg pushes off; arms, lead, trail, to, fold, toe: shoulders, right hip, left hip, time, right knee
# and ankle as the legs pass over; land: right knee before it lands; then fx, fy, tv: push of each hand, in newtons, and its
# longest time, with round, knee, heel, hip, swing: back, right knee, ankle and hip, left hip; up, tu: trunk, in the world,
# and time as it comes up.
# Found from values set by hand by four searches, for a whole turn on hands and feet alone and a walk after it: the phases
# up to 4 first, then those from 5 on, then all; the last one, in which the spread was 0.03 of each range, was: poise
# tune skill walkover lean=0:.6 behind=.1:1 td=.15:.4 rear=0:.78 bend=.3:1.6 dip=-.8:.3 down=1.6:2.8 first=-3:-1
# press=-3:-1.2 kick=-2.3:-.2 tk=.12:.6 push=.3:1.04 arms=-3.13:-1.6 lead=.2:.785 trail=-1.8:.2 to=.1:.6 fold=0:1.8
# toe=-.8:.8 fx=-400:1000 fy=-1500:100 tv=.08:.7 up=-1.5:.5 swing=-2.2:.5 land=.2:2.2 knee=0:1.6 heel=-.9:.8 hip=-1.5:.78
# round=-.39:.39 tu=.1:.6 --cost 6*turned:1 2*knocked head:.15 4*short:3.5 3*fallen --from-phase 2 --fails 11 --starts 5
# --seconds 3.5 --sigma-part .03 --population 14 --evaluations 170 --seed 3 --timestep .0005
SCRIPTS _stand.ctl, _gait.ctl, _tip_over.ctl, _get_up.ctl;
SET lean = .09706
SET behind = .7682
SET ankle = -.2
SET dip = -.338
SET down = 1.941
SET td = .2697
SET rear = .4645
SET bend = .8608
SET first = -1.622
SET press = -1.788
SET kick = -1.82
SET tk = .304
SET push = .798
SET arms = -2.819
SET lead = .7827
SET trail = .1407
SET to = .1495
SET fold = .9071
SET toe = -.2186
SET fx = 642.8
SET fy = -1050
SET tv = .4114
SET up = -1.065
SET swing = -1.726
SET land = 1.431
SET knee = .4044
SET heel = .41
SET hip = -.3448
SET round = .2215
SET tu = .3379

BEGINSCRIPT walkover(lean, behind, ankle, td, rear, bend, dip, down, first, press, kick, tk, push, arms, lead, trail, to, fold, toe, fx, fy, tv, up, swing, land, knee, heel, hip, round, tu)
PHASE 0
    > _stand.ctl(.3, .5);
    TRANSITION to(11).after(fallen x 1.2);
    TRANSITION to(1).after(complete);
ENDPHASE

# Two cycles of a walk; the left foot comes down in front.
PHASE 1
    > _gait.ctl(.3, 0, -2.2, -.2, 0, 0, -.5, .7, 1.1, .05, .05, .1, -.2, .3);
    TRANSITION to(11).after(fallen x 1.2);
    TRANSITION to(2).after(iterations 1);
ENDPHASE

PHASE 2
    > _tip_over.ctl(lean, behind, ankle, td, down, rear, bend, dip, first);
    TRANSITION to(3).after(complete);
ENDPHASE

# The hands are down: the rear leg is thrown over, the front leg pushes off.
PHASE 3
    ACTIONS
        POSE lShoulder(press, 1000, 60), rShoulder(press, 1000, 60), lElbow(-.05, 1000, 60),
             rElbow(-.05, 1000, 60), lWrist(-1.5, 300, 30), rWrist(-1.5, 300, 30),
             neck2head(-.6, 200, 20);
        POSE rHip(.75, 600, 40), lHip(kick, 600, 40), lKnee(.1, 600, 40), lAnkle(push, 300, 30);
        POSE waist(0, 600, 60), lTorso2uTorso(0, 600, 60);
    ENDACTIONS
    TRANSITION to(4).after(time tk);
ENDPHASE

# The legs pass over the hands, split.
PHASE 4
    ACTIONS
        POSE lShoulder(arms, 1000, 60), rShoulder(arms, 1000, 60);
        POSE rHip(lead, 600, 40), lHip(trail, 600, 40), rKnee(fold, 300, 30), lKnee(.1, 300, 30),
             rAnkle(toe);
        POSE waist(-.3, 600, 60), lTorso2uTorso(-.3, 600, 60);
    ENDACTIONS
    TRANSITION to(5).after(contact rFoot);
    TRANSITION to(5).after(time to);
ENDPHASE

# The first foot reaches for the ground.
PHASE 5
    ACTIONS
        POSE lAnkle(-.2), rAnkle(toe), rKnee(land, 300, 30), lHip(trail, 600, 40),
             rHip(lead, 600, 40);
        POSE lShoulder(arms, 600, 40), rShoulder(arms, 600, 40);
    ENDACTIONS
    TRANSITION to(6).after(contact rFoot);
    TRANSITION to(6).after(time .8);
ENDPHASE

# The hands push off, and it comes up over that foot; the other leg follows.
PHASE 6
    ACTIONS
        POSE waist(round, 600, 60), lTorso2uTorso(round, 600, 60), neck2head(0, 200, 20);
        POSE lShoulder(-3, 200, 20), rShoulder(-3, 200, 20), rKnee(knee, 600, 40),
             rAnkle(heel, 300, 30);
        POSE lHip(swing, 300, 30), lKnee(.3, 300, 30), rHip(hip, 600, 60);
        VF (fx, fy, 0).on(lHand).by(lShoulder);
        VF (fx, fy, 0).on(rHand).by(rShoulder);
    ENDACTIONS
    TRANSITION to(7).after(nocontact rFoot);
    TRANSITION to(7).after(time tv);
ENDPHASE

# The trunk comes up.
PHASE 7
    ACTIONS
        POSE lShoulder(-1.5, 200, 20), rShoulder(-1.5, 200, 20);
        POSE waist(.2, 600, 60), lTorso2uTorso(.2, 600, 60);
        VPD uTorso(up, 300, 30).joint(rHip);
    ENDACTIONS
    TRANSITION to(8).after(contact lFoot);
    TRANSITION to(8).after(time tu);
ENDPHASE

# It walks on, slows down to steps on the spot, and stands.
PHASE 8
    > _gait.ctl(.3, 0, -2.2, -.2, 0, 0, -.5, .7, 1.1, .05, .05, .1, -.2, .3).atPhase(2);
    TRANSITION to(11).after(fallen x 1.2);
    TRANSITION to(9).after(iterations 1);
ENDPHASE

PHASE 9
    > _gait.ctl(.25, 0, -1.9, -.37, 0, .02, -.4, .04, 1.12, .05, .05, .1, -.02, .2);
    TRANSITION to(11).after(fallen x 1.2);
    TRANSITION to(10).after(iterations 7);
ENDPHASE

PHASE 10
    > _stand.ctl(.5, 2);
    TRANSITION to(11).after(fallen x 1.2);
ENDPHASE

PHASE 11
    > _get_up.ctl(void);
    TRANSITION to(10).after(complete);
ENDPHASE
ENDSCRIPT
