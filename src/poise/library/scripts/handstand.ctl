# Balances on its hands.
# Starts in a handstand, and stays there; from standing it kicks up first. If it falls it gets up.
SCRIPTS _handstand.ctl, _to_hands.ctl, _get_up.ctl;

BEGINSCRIPT handstand(void)
PHASE 0
    TRANSITION to(1).after(anglerange 2.4 -2.4);
    TRANSITION to(3).after(fallen x 1);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 1
    > _handstand.ctl(.3, 2, 2000, 300);
    TRANSITION to(3).after(anglerange -2.4 2.4);
ENDPHASE

PHASE 2
    > _to_hands.ctl(void);
    TRANSITION to(3).after(anglerange -2.2 2.2);
    TRANSITION to(1).after(complete);
ENDPHASE

PHASE 3
    > _get_up.ctl(void);
ENDPHASE
ENDSCRIPT
