SCRIPTS other.t;
BEGINSCRIPT endless(void)
PHASE 0
    > other.t(0, 0, .1);
    TRANSITION to(-1).after(fallen x .6);
ENDPHASE
ENDSCRIPT
