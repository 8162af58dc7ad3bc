# Skips at 1 m/s: a step, a hop on the same foot, a step onto the other, a hop on that one.
# From standing, after two cycles of the walk; if it falls it gets up. The values are explained in _skip.ctl. Written by hand
# (tl .16, tp .12, tr .12, lift -.9, knee 1.3, under -.05, strike .3, cdh -.5, cvh -.2, cd -2, cv -.2, lean .05, push .5,
# crouch .35, reach -.5: it skips five times and falls), then found by: poise tune skill skip --cost 6*fallen:.8
# 6*skips:12 stray:1.5 speed:1.1 --starts 3 --change .05,.2 --seconds 9 --fails 2 --evaluations 360 --population 12
# --workers 1 --seed 1; and, to cross hills, from tl .1854, tp .0698, tr .2038, lift -.9308, knee 1.345, under -.1,
# strike .3455, cdh -.4864, cvh -.2292, cd -1.982, cv -.1533, lean .1431, push .3418, crouch .3399, reach -.4257, by the same
# with --cost 8*fallen:.8 6*skips:24 stray:1.5 .5*speed:1.05 --starts 1 --seconds 20 --terrains hills:6 hills:7,seed=1
# --evaluations 61 --population 10 --sigma-part .06
SCRIPTS _gait.ctl, _skip.ctl, _get_up.ctl;
SET TORQUELIMIT = 300
SET tl = .2003
SET tp = .05777
SET tr = .1649
SET lift = -.939
SET knee = 1.317
SET under = -.1103
SET strike = .3638
SET cdh = -.5108
SET cvh = -.2735
SET cd = -1.962
SET cv = -.1436
SET lean = .1576
SET push = .3089
SET crouch = .4086
SET reach = -.4069

BEGINSCRIPT skip(tl, tp, tr, lift, knee, under, strike, cdh, cvh, cd, cv, lean, push, crouch, reach)
# Two steps of the walk lead in.
PHASE 0
    > _gait.ctl(.3, 0, -2.2, -.2, 0, 0, -.5, .7, 1.1, .05, .05, .1, -.2, .3);
    TRANSITION to(1).after(iterations 1);
ENDPHASE

PHASE 1
    > _skip.ctl(tl, tp, tr, lift, knee, under, strike, cdh, cvh, cd, cv, lean, push, crouch, reach);
    TRANSITION to(2).after(fallen x 1.2);
ENDPHASE

PHASE 2
    > _get_up.ctl(void);
    TRANSITION to(0).after(complete);
ENDPHASE
ENDSCRIPT
