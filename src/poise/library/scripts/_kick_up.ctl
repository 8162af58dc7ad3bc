# Kicks up into a handstand: walks a few steps, tips over the front leg onto the hands, throws one leg up after the other,
# joins them above, and balances on its hands. Starts standing, ends in a handstand or after a fall.
# lean to first: see `_tip_over.ctl`; press, kick, tk, push: shoulders, left hip, time and left ankle as the left leg pushes
# off; lead, trail, th: right and left hip as the shoulders open, and its time; ramp: time in which the legs join; cd, cv:
# balance by the wrists; hd, hv: by the hips. Found from values set by hand (td .28, down 1.96, bend .8, dip -.33,
# first -2.2, press -1.94, kick -1.78, tk .25, push .6, lead .3, trail -.5, th .25, ramp .4, cd 2000, cv 400, hd 0, hv 0),
# with these phases as the first of kick-up.ctl and phase 7 to get up, by: poise tune skill kick-up
# td=.2:.35 down=1.7:2.6 bend=.4:1.3 dip=-.7:.2 first=-2.9:-1.6 press=-3:-1.5 kick=-2.2:-.4 tk=.1:.5 push=.2:1 lead=-.5:.6
# trail=-1.5:.2 th=.05:.6 ramp=.1:1 cd=600:4000 cv=50:1000 hd=-3:3 hv=-1:1 --cost 3*off-hands:3 3*sway:3 2*knocked
# 4*short:4.5 --from-phase 2 --fails 7 --starts 2 --seconds 4.5 --draws 96 --population 12 --evaluations 460
SCRIPTS _stand.ctl, _gait.ctl, _tip_over.ctl;
SET lean = .09
SET behind = .7
SET td = .2011
SET down = 1.758
SET rear = .5
SET bend = 1.18
SET dip = .07292
SET first = -1.737
SET press = -2.901
SET kick = -1.993
SET tk = .236
SET push = .9495
SET lead = .355
SET trail = -.8676
SET th = .1422
SET ramp = .5008
SET cd = 3365
SET cv = 802.4
SET hd = 1.614
SET hv = .3167

BEGINSCRIPT kick_up(lean, behind, td, down, rear, bend, dip, first, press, kick, tk, push, lead, trail, th, ramp, cd, cv, hd, hv)
PHASE 0
    > _stand.ctl(.3, .5);
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(complete);
ENDPHASE

# Two cycles of a walk; the left foot comes down in front.
PHASE 1
    > _gait.ctl(.3, 0, -2.2, -.2, 0, 0, -.5, .7, 1.1, .05, .05, .1, -.2, .3);
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(2).after(iterations 1);
ENDPHASE

PHASE 2
    > _tip_over.ctl(lean, behind, -.2, td, down, rear, bend, dip, first);
    TRANSITION to(3).after(complete);
ENDPHASE

# The hands are down: the rear leg is thrown up, the front leg pushes off.
PHASE 3
    ACTIONS
        POSE lShoulder(press, 1000, 60), rShoulder(press, 1000, 60), lElbow(-.05, 1000, 60),
             rElbow(-.05, 1000, 60), lWrist(-1.5, 300, 30), rWrist(-1.5, 300, 30),
             neck2head(-.6, 200, 20);
        POSE rHip(lead, 600, 40), lHip(kick, 600, 40), lKnee(.1, 600, 40), lAnkle(push, 300, 30);
        POSE waist(0, 600, 60), lTorso2uTorso(0, 600, 60);
    ENDACTIONS
    TRANSITION to(4).after(time tk);
ENDPHASE

# The shoulders open, the other leg follows.
PHASE 4
    ACTIONS
        LIPOSE lShoulder(-3.05, 1000, 60).time(th);
        LIPOSE rShoulder(-3.05, 1000, 60).time(th);
        POSE rHip(lead, 600, 40), lHip(trail, 600, 40), rKnee(.1, 300, 30), lKnee(.1, 300, 30);
    ENDACTIONS
    TRANSITION to(5).after(time th);
ENDPHASE

# The legs come together over the hands, which balance.
PHASE 5
    ACTIONS
        LIPOSE lHip(0, 600, 40).time(ramp);
        LIPOSE rHip(0, 600, 40).time(ramp);
        POSE lKnee(.05, 300, 30), rKnee(.05, 300, 30), neck2head(-.3, 200, 20);
        POSEFB lHip(hd, hv).on(joint lWrist), rHip(hd, hv).on(joint lWrist);
        VFFB uTorso(cd, cv).by(lWrist).over(cop);
        VFFB uTorso(cd, cv).by(rWrist).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(anglerange -2.2 2.2);
    TRANSITION to(-1).after(time 2);
ENDPHASE
ENDSCRIPT
