# Steps onto a block of .05 to .25 m, right foot first, and stands on it.
# From standing to standing; if it falls it gets up. height, width: of the block, which begins .25 m ahead and is that high
# and that deep. The other values are explained in _step_up.ctl; those with a 2 apply at a height of .25, the others
# at .05. Found by three searches after those of stair-climb.ctl, the last, at 0.0005 s, by: poise tune skill step-up
# over=.1:.15 lean=-.2:.1 shift=.15:.35 rise=.45:.65 push=.1:.4 draw=400:700 cd=500:1000 cv=200:450 hold=900:1800
# still=300:500 lean2=.2:.6 shift2=.7:1 rise2=.45:.8 push2=0:.5 --cost standing 2*off-block:.03 fallen:1 --starts 1
# --first-start 3 --change .02,.05 --fails 3 --seconds 8 --timestep .0005 --cases height=.05 height=.1 height=.15 height=.2
# height=.25 --evaluations 61 --population 10 --sigma-part .12 --workers 1 --seed 3, from over .1244, lean -.08, shift .2394,
# rise .5551, push .2069, draw 524.8, cd 746.8, cv 322.6, hold 1309, still 398.6, lean2 .4277, shift2 .8923, rise2 .562, push2 .1918.
# bow bends the lean between the two heights, set by hand: at .15 a straight line leans too little, and the body falls back off the block
# from one start in 40.
SCRIPTS _stand.ctl, _stand_slope.ctl, _step_up.ctl, _get_up.ctl;
ENVIRONMENT step-up.env;
SET height = .15
SET width = .3
SET over = .1221
SET lean = -.08563
SET shift = .2137
SET rise = .5457
SET push = .1046
SET draw = 493.8
SET cd = 747.3
SET cv = 328.6
SET hold = 1213
SET still = 434.7
SET bow = .68
SET lean2 = .3756
SET shift2 = .8618
SET rise2 = .6352
SET push2 = .2788

BEGINSCRIPT step_up(height, width, over, lean, shift, rise, push, draw, cd, cv, hold, still, bow, lean2, shift2, rise2, push2)
PHASE 0
    > _stand_slope.ctl(.5, 1);
    TRANSITION to(3).after(fallen x 1.2);
    TRANSITION to(1).after(complete);
ENDPHASE

# The middle of the block's top, and the foot's own half height above it.
PHASE 1
    > _step_up.ctl(linterp(width, 0, 1, .25, .75), linterp(height, 0, 1, .025, 1.025), over,
                   linterp(height, .05, .25, lean, linterp(height, .05, .25, bow, lean2)),
                   linterp(height, .05, .25, shift, shift2),
                   linterp(height, .05, .25, rise, rise2), linterp(height, .05, .25, push, push2),
                   draw, cd, cv, hold, still);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 2
    > _stand.ctl(.5, 1);
    TRANSITION to(3).after(fallen x 1.2);
ENDPHASE

PHASE 3
    > _get_up.ctl(void);
    TRANSITION to(2).after(complete);
ENDPHASE
ENDSCRIPT
