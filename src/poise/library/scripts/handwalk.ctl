# Walks on its hands, one in front of the other, bent back with the legs hanging over the hands; about 0.2 m/s.
# Starts in a handstand, and stays on its hands; from standing it kicks up first. If it falls it gets up. The parameters are
# those of `_hand_step.ctl`, found from values set by hand (reach -3.1, back -2.9, lift -.6, tl .25, ts .3, hip .2,
# arch -.15, cd 2000, cv 300, fx 0) by: poise tune skill handwalk reach=-3.13:-2.7 back=-3.1:-2.5
# lift=-1.2:-.3 tl=.12:.4 ts=.05:.5 hip=-.3:.6 arch=-.35:.2 cd=500:4000 cv=50:800 fx=-60:60 --cost 2*off-hands:9 short:10
# 3*speed:.2 --fails 3 --starts 2 --seconds 10 --population 10 --evaluations 200
SCRIPTS _handstand.ctl, _hand_step.ctl, _to_hands.ctl, _get_up.ctl;
SET reach = -3.13
SET back = -2.905
SET lift = -.8461
SET tl = .2483
SET ts = .1647
SET hip = .1559
SET arch = -.1117
SET cd = 1728
SET cv = 299.5
SET fx = 44.79

BEGINSCRIPT handwalk(reach, back, lift, tl, ts, hip, arch, cd, cv, fx)
PHASE 0
    TRANSITION to(1).after(anglerange 2.4 -2.4);
    TRANSITION to(3).after(fallen x 1);
    TRANSITION to(4).after(complete);
ENDPHASE

PHASE 1
    > _handstand.ctl(.3, .5, 2000, 300);
    TRANSITION to(3).after(anglerange -2.4 2.4);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 2
    > _hand_step.ctl(reach, back, lift, tl, ts, hip, arch, cd, cv, fx);
    TRANSITION to(3).after(anglerange -2.3 2.3);
ENDPHASE

PHASE 3
    > _get_up.ctl(void);
ENDPHASE

PHASE 4
    > _to_hands.ctl(void);
    TRANSITION to(3).after(anglerange -2.2 2.2);
    TRANSITION to(1).after(complete);
ENDPHASE
ENDSCRIPT
