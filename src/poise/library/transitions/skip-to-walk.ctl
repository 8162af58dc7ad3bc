# From skip to walk: begins where skip may be left, and ends in walk.
# Found by `poise transition skip walk --generations 150 --starts 8 --seed 3` (Poise 0.1.0): 150 generations, 150
# candidates, each from 8 starts; 118 unknowns, all numbers of 4 phases.
# Objective [Firmin15 §4.2]: com 100, trunk 1, joints 1, fallen 200; cost 7432 before, 379 after the search.
# Of 60 disturbed starts at 0.0005 s, 60 arrive; 60 do when it is switched at once.
SCRIPTS walk.ctl;
SET TORQUELIMIT = 300

BEGINSCRIPT skip_to_walk(void)
# Was phase 0 of _gait.ctl.
PHASE 0
    ACTIONS
        POSE waist(-.19162, 604.88, 28.569), lTorso2uTorso(-.44121, 504.42, 34.86),
             neck2head(.042219, 106.63, 9.3787), uTorso2neck(.13233, 108.92, 10.307);
        POSE lElbow(-.13953, 99.551, 28.587), rElbow(-.37576, 96.69, 28.903),
             lWrist(.018312, 5.3953, .86067), rWrist(-.047905, 5.0361, 3.2333);
        POSE lShoulder(-.17288, 117.36, 26.341), rShoulder(.42088, 122.82, 31.856);
        POSE rKnee(1.2381, 316.05, 31.26), lKnee(.2705, 278.31, 28.951),
             lAnkle(-.36771, 345.83, 34.141), rAnkle(-.2118, 258.63, 34.174);
        VPD uTorso(.048703, 902.93, 103.32).joint(lHip);
        COMFB2 -.023545 -.20928 j rAnkle
        VPD rThigh(-.58776, -259.01, -32.246).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(time .38827);
ENDPHASE

# Was phase 1 of _gait.ctl.
PHASE 1
    ACTIONS
        POSE rKnee(.20173, 309.57, 27.004), lKnee(.15797, 313.22, 31.022),
             lAnkle(-.29993, 273.22, 28.357), rAnkle(.16318, 344.92, 29.021);
        VPD uTorso(-.044291, 1054.9, 91.161).joint(lHip);
        COMFB2 -2.0208 .14176 j rAnkle
        VPD rThigh(.56981, -314.5, -33.45).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(2).after(contact rFoot);
ENDPHASE

# Was phase 2 of _gait.ctl.
PHASE 2
    ACTIONS
        POSE rShoulder(-.16007, 104.54, 30.679), lShoulder(.4075, 112.91, 29.011);
        POSE lKnee(1.1587, 334.36, 28.361), rKnee(-.061119, 299.6, 33.168),
             lAnkle(-.37644, 274.93, 25.909), rAnkle(-.33141, 292.51, 28.683);
        VPD uTorso(.0354, 854.72, 94.684).joint(rHip);
        COMFB2 .094858 -.16326 j lAnkle
        VPD lThigh(-.64154, -275.41, -34.221).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(3).after(time .34479);
ENDPHASE

# Was phase 3 of _gait.ctl.
PHASE 3
    ACTIONS
        POSE lKnee(.40693, 341.33, 30.94), rKnee(.010499, 299.82, 26.944),
             lAnkle(-.19885, 308.41, 30.576), rAnkle(-.057499, 275.29, 31.186);
        VPD uTorso(-.27257, 932.09, 99.841).joint(rHip);
        COMFB2 -1.8939 -.062995 j lAnkle
        VPD lThigh(.72138, -356.4, -26.837).joint(lHip).flags(s);
    ENDACTIONS
    TRANSITION to(4).after(contact lFoot);
ENDPHASE

# walk takes over.
PHASE 4
    > walk.ctl(void);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
