# From walkover to run: begins where walkover enters phase 5, and ends in run.
# Found by `poise transition walkover run --phases 3 --generations 80 --seed 2 --leave 5 --goal 0:3` (Poise 0.1.0): 80
# generations, 80 candidates, each from 4 starts; 100 unknowns, all numbers of 3 phases.
# Objective [Firmin15 §4.2]: com 100, trunk 1, joints 1, fallen 200; cost 7.503e+04 before, 1915 after the search.
# Of 20 disturbed starts at 0.0005 s, 19 arrive; 7 do with an immediate switch.
SCRIPTS run.ctl;

BEGINSCRIPT walkover_to_run(void)
# Was phase 5 of walkover.ctl.
PHASE 0
    ACTIONS
        POSE waist(-.26944, 577.34, 64.655), lTorso2uTorso(-.36138, 641.78, 68.714),
             uTorso2neck(-.10768, 90.442, 11.771), neck2head(-.65542, 205.87, 19.517),
             lElbow(.042703, 1052.2, 62.883), lWrist(-1.5794, 256.81, 28.842),
             rElbow(.015302, 967.87, 67.75), rWrist(-1.4954, 319.67, 25.904),
             lKnee(.00081746, 304.94, 28.77);
    ENDACTIONS
    ACTIONS
        POSE lAnkle(-.25638, 266.05, 34.557), rAnkle(-.18035, 322.02, 33.439),
             rKnee(1.4751, 304.74, 31.144), lHip(.1416, 612.69, 39.85),
             rHip(.68338, 620.46, 45.408);
        POSE lShoulder(-2.6285, 582.36, 37.078), rShoulder(-2.8679, 611.46, 36.344);
    ENDACTIONS
    TRANSITION to(1).after(contact rFoot);
    TRANSITION to(1).after(time .78884);
ENDPHASE

# Was phase 6 of walkover.ctl.
PHASE 1
    ACTIONS
        POSE waist(.2672, 566.74, 66.655), lTorso2uTorso(.18121, 592.84, 62.311),
             neck2head(-.010972, 200.37, 22.288);
        POSE lShoulder(-3.1778, 181.11, 19.998), rShoulder(-2.9616, 187.5, 15.979),
             rKnee(.47303, 626.85, 37.331), rAnkle(.49667, 270.1, 28.588);
        POSE lHip(-1.71, 282.92, 33.825), lKnee(.046806, 290.34, 29.387),
             rHip(-.22594, 636.09, 56.651);
        VF (630.53, -1019.8, 0).on(lHand).by(lShoulder);
        VF (641.06, -993.25, 0).on(rHand).by(rShoulder);
    ENDACTIONS
    TRANSITION to(2).after(nocontact rFoot);
    TRANSITION to(2).after(time .38672);
ENDPHASE

# Was phase 7 of walkover.ctl.
PHASE 2
    ACTIONS
        POSE lShoulder(-1.4237, 191.8, 19.008), rShoulder(-1.5952, 189.75, 17.874);
        POSE waist(.18841, 649.81, 63.904), lTorso2uTorso(.30236, 580.54, 64.313);
        VPD uTorso(-1.2267, 257.53, 26.528).joint(rHip);
    ENDACTIONS
    TRANSITION to(3).after(contact lFoot);
    TRANSITION to(3).after(time .2717);
ENDPHASE

# run takes over.
PHASE 3
    > run.ctl(void);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
