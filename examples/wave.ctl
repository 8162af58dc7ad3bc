# wave.ctl: raise an arm, wait, and end.

BEGINSCRIPT wave(height)
PHASE 0
    ACTIONS
        LIPOSE rShoulder(height).time(.5);
        POSE rElbow(-.4, 100, 10);
    ENDACTIONS
    TRANSITION to(-1).after(time 2);
ENDPHASE
ENDSCRIPT
