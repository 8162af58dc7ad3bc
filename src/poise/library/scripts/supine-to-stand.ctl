# From lying on the back to standing: turns over backward onto hands and knees, sets its feet, pushes off, squats, rises.
# Starts on the back, ends standing; from standing it lies down first, and if it falls it gets up. The parameters are those
# of _turn_over.ctl, found from values set by hand (push -520, tp .25, tf .5, back -150, fold -1.9, tuck -2.3, round .39,
# reach -1.2, drop -1.5) by: poise tune skill supine-to-stand push=-800:-350 tp=.15:.5 tf=.3:.9 back=-300:100
# fold=-2.3:-1.4 tuck=-2.35:-1.6 round=.1:.7 reach=-2:-.8 drop=-2.2:-1 --cost 3*standing upright short:11 20*airborne
# --change .05,.2 --fails 6 --seconds 11 --starts 3 --draws 60 --evaluations 260 --timestep .0005 --seed 1
SCRIPTS _stand.ctl, _lie_back.ctl, _turn_over.ctl, _crawl_to_squat.ctl, _get_up.ctl;
SET push = -464.5
SET tp = .151
SET tf = .8541
SET back = -86.34
SET fold = -1.459
SET tuck = -2.236
SET round = .362
SET reach = -1.136
SET drop = -1.01
BEGINSCRIPT supine_to_stand(push, tp, tf, back, fold, tuck, round, reach, drop)
PHASE 0
    TRANSITION to(3).after(anglerange -2.4 -1);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 1
    > _stand.ctl(.3, .5);
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 2
    > _lie_back.ctl(void);
    TRANSITION to(3).after(complete);
ENDPHASE

PHASE 3
    > _turn_over.ctl(push, tp, tf, back, fold, tuck, round, reach, drop);
    TRANSITION to(4).after(complete);
ENDPHASE

PHASE 4
    > _crawl_to_squat.ctl(528, -1323, .179, -2.37, 1.932, -.424, -1.549, .978);
    TRANSITION to(6).after(fallen x 1.2);
    TRANSITION to(5).after(complete);
ENDPHASE

PHASE 5
    > _stand.ctl(1, 1.5);
    TRANSITION to(6).after(fallen x 1.2);
ENDPHASE

PHASE 6
    > _get_up.ctl(void);
    TRANSITION to(5).after(complete);
ENDPHASE
ENDSCRIPT
