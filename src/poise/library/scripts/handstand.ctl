# Balances on its hands.
# Starts in a handstand, and stays there; if it falls it gets up. From standing it only stands: it cannot kick up yet.
SCRIPTS _handstand.ctl, _get_up.ctl;

BEGINSCRIPT handstand(void)
PHASE 0
    TRANSITION to(1).after(anglerange 2.4 -2.4);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 1
    > _handstand.ctl(.3, 2, 2000, 300);
    TRANSITION to(2).after(anglerange -2.4 2.4);
ENDPHASE

PHASE 2
    > _get_up.ctl(void);
ENDPHASE
ENDSCRIPT
