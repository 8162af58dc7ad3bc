# Lies on the back, straight.
# Starts on the back, and stays there; from standing it sits down behind its heels and lies down first.
SCRIPTS _stand.ctl, _lie_back.ctl;

BEGINSCRIPT supine(void)
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
    > _lie_back.ctl(void).atPhase(2);
ENDPHASE
ENDSCRIPT
