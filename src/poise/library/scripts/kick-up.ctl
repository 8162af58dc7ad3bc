# Kicks up into a handstand: walks a few steps, tips over the front leg onto the hands, throws one leg up after the other,
# joins them above, and balances on its hands. `_kick_up.ctl` says how it was found.
# Starts standing, ends in a handstand and stays there; if it falls it gets up.
SCRIPTS _to_hands.ctl, _handstand.ctl, _get_up.ctl;

BEGINSCRIPT kick_up(void)
PHASE 0
    > _to_hands.ctl(void);
    TRANSITION to(2).after(anglerange -2.2 2.2);
    TRANSITION to(1).after(complete);
ENDPHASE

# It stands on them.
PHASE 1
    > _handstand.ctl(.5, 2, 2000, 300);
    TRANSITION to(2).after(anglerange -2.4 2.4);
ENDPHASE

PHASE 2
    > _get_up.ctl(void);
ENDPHASE
ENDSCRIPT
