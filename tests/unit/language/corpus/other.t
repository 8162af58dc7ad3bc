BEGINSCRIPT other(a, b, c)
PHASE 0
    ACTIONS
        POSE lHip(a), rHip(b), lKnee(c);
    ENDACTIONS
    TRANSITION to(1).after(time 1);
ENDPHASE
PHASE 1
    TRANSITION to(-1).after(complete);
ENDPHASE
ENDSCRIPT
