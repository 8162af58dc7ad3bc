# From a handstand to lying on the back: falls forward, gives way with the arms, and rolls down over the rounded back.
# Starts in a handstand, ends on the back; from standing it kicks up first.
SCRIPTS _handstand.ctl, _roll_down.ctl, _lie_back.ctl, _to_hands.ctl, _get_up.ctl;

BEGINSCRIPT handstand_to_supine(void)
PHASE 0
    TRANSITION to(1).after(anglerange 2.4 -2.4);
    TRANSITION to(4).after(fallen x 1);
    TRANSITION to(5).after(complete);
ENDPHASE

PHASE 1
    > _handstand.ctl(.3, 1, 2000, 300);
    TRANSITION to(2).after(complete);
ENDPHASE

PHASE 2
    > _roll_down.ctl(void);
    TRANSITION to(3).after(complete);
ENDPHASE

PHASE 3
    > _lie_back.ctl(void).atPhase(2);
ENDPHASE

PHASE 4
    > _get_up.ctl(void);
ENDPHASE

PHASE 5
    > _to_hands.ctl(void);
    TRANSITION to(4).after(anglerange -2.2 2.2);
    TRANSITION to(1).after(complete);
ENDPHASE
ENDSCRIPT
