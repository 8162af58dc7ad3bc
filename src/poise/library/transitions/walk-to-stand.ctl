# From walk to stand: begins where walk may be left, and ends in stand.
# Found by `poise transition walk stand` (Poise 0.1.0): 200 generations, 200 candidates, each from 4 starts; 118
# unknowns, all numbers of 4 phases.
# Objective [Firmin15 §4.2]: com 100, trunk 1, joints 1, fallen 200; cost 1.383e+05 before, 1054 after the search.
# Of 20 disturbed starts at 0.0005 s, 20 arrive; 1 do with an immediate switch.
SCRIPTS stand.ctl;

BEGINSCRIPT walk_to_stand(void)
# Was phase 0 of _gait.ctl.
PHASE 0
    ACTIONS
        POSE waist(-.0046471, 486.08, 27.426), lTorso2uTorso(-.15336, 568.77, 28.688),
             neck2head(.22526, 96.489, 10.867), uTorso2neck(-.1413, 106.28, 13.53);
        POSE lElbow(-.3027, 97.599, 30.792), rElbow(-.1858, 105.03, 27.787),
             lWrist(-.14088, 9.7778, 3.3834), rWrist(-.084495, 7.8192, 3.1506);
        POSE lShoulder(-.16155, 111.97, 25.701), rShoulder(.56638, 91.915, 28.435);
        POSE rKnee(.80839, 265.06, 36.526), lKnee(-.11421, 323.35, 34.324),
             lAnkle(-.36034, 349.53, 27.442), rAnkle(-.19421, 316.26, 30.806);
        VPD uTorso(-.16769, 1131.6, 117.91).joint(lHip);
        COMFB2 .092584 -.37989 j rAnkle
        VPD rThigh(-.59462, -298.86, -25.105).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time .19996);
ENDPHASE

# Was phase 1 of _gait.ctl.
PHASE 1
    ACTIONS
        POSE rKnee(.068336, 275.07, 28.815), lKnee(-.013382, 305.82, 24.856),
             lAnkle(-.17722, 321.84, 37.844), rAnkle(-.4283, 348.07, 27.965);
        VPD uTorso(-.12089, 916.29, 107.78).joint(lHip);
        COMFB2 -2.6917 .18028 j rAnkle
        VPD rThigh(.97556, -310.2, -25.536).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
ENDPHASE

# Was phase 2 of _gait.ctl.
PHASE 2
    ACTIONS
        POSE rShoulder(-.44928, 120.35, 29.37), lShoulder(.58528, 111.42, 30.678);
        POSE lKnee(1.1452, 237.99, 23.653), rKnee(-.22169, 262.09, 27.425),
             lAnkle(.024795, 258.5, 30.982), rAnkle(-.10078, 253.76, 33.816);
        VPD uTorso(-.057091, 1041.6, 112.14).joint(rHip);
        COMFB2 .037931 -.15445 j lAnkle
        VPD lThigh(-.23586, -281.7, -28.748).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time .19508);
ENDPHASE

# Was phase 3 of _gait.ctl.
PHASE 3
    ACTIONS
        POSE lKnee(.055741, 253.72, 30.305), rKnee(.13619, 307.25, 30.104),
             lAnkle(-.39372, 260.26, 29.64), rAnkle(-.15197, 314.66, 27.319);
        VPD uTorso(.030019, 930.6, 109.1).joint(rHip);
        COMFB2 -2.1184 -.0089068 j lAnkle
        VPD lThigh(.58321, -292.45, -29.083).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(contact lFoot);
ENDPHASE

# stand takes over.
PHASE 4
    > stand.ctl(void);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
