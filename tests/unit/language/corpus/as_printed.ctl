SCRIPTS other.t;

BEGINSCRIPT step_up (x, y)
PHASE 0
    > other.t(.1, 0, 0);
    TRANSITION to (1). after (complete);
ENDPHASE
PHASE 1
    ACTIONS
        IK rFoot.targetglobal(x, y, -10)
            . base (rHip)
            .tolerance(0.001);
        VPD rFoot(0.0, -300, -30). joint(rAnkle);
        POSE rHip(0.0).time(5), lHip(0);
    ENDACTIONS
    TRANSITION to (-1). after (contact rFoot);
ENDPHASE
ENDSCRIPT
