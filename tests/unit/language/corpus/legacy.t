BEGINSCRIPT legacy
PHASE 0
    ACTIONS
        VPD uTorso(0).parent(lHip);
        VFFB uTorso(2000, 250).by(lAnkle);
        COMFB2 0 0 j lAnkle;
        VPD rThigh(0, -300, -30).joint(rHip);
        LOAD walk.sav;
    ENDACTIONS
    TRANSITION to(1.).after(stable);
ENDPHASE
PHASE 1.
    > other.t(void);
ENDPHASE
ENDSCRIPT
