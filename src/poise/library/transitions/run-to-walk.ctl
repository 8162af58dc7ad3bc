# From run to walk: begins where run may be left, and ends in walk.
# Found by `poise transition run walk` (Poise 0.1.0): 200 generations, 200 candidates, each from 4 starts; 164
# unknowns, all numbers of 4 phases.
# Objective [Firmin15 §4.2]: com 100, trunk 1, joints 1, fallen 200; cost 1735 before, 350.4 after the search.
# Of 20 disturbed starts at 0.0005 s, 20 arrive; 20 do with an immediate switch.
SCRIPTS walk.ctl;
SET TORQUELIMIT = 370

BEGINSCRIPT run_to_walk(void)
# Was phase 0 of _run_gait.ctl.
PHASE 0
    ACTIONS
        POSE waist(-.049832, 652.33, 26.52), lTorso2uTorso(-.022383, 514.5, 32.712),
             neck2head(-.0055441, 101.96, 6.2271), uTorso2neck(-.016741, 99.616, 6.81);
        POSE lElbow(-1.4897, 99.609, 30.909), rElbow(-1.2643, 97.318, 29.553),
             lWrist(.005592, 5.2849, 1.9405), rWrist(-.049663, 8.699, .99874);
        POSE lShoulder(-.65746, 98.036, 28.687), rShoulder(.60543, 97.359, 29.199);
        POSE rKnee(2.1146, 294.75, 31.008), lKnee(.084843, 306.31, 27.746),
             rAnkle(-.23158, 300.84, 29.092), lAnkle(-.36358, 319.56, 35.289);
        VPD uTorso(.099099, 996.26, 103.95).joint(lHip);
        COMFB2 .048712 -.27474 j rAnkle
        VPD rThigh(-1.1145, -273.45, -28.299).joint(rHip).flags(s);
        VFSFB uTorso(108.75).by(lAnkle).speed(2.1007);
    ENDACTIONS
    TRANSITION to(1).after(time .26082);
ENDPHASE

# Was phase 1 of _run_gait.ctl.
PHASE 1
    ACTIONS
        POSE rShoulder(-.75588, 101.65, 28.794), lShoulder(.44131, 95.505, 26.886);
        POSE lKnee(2.0153, 304.55, 33.44), rKnee(.059641, 275.14, 31.889),
             lAnkle(-.20398, 291.24, 31.479), rAnkle(-.33349, 287.09, 31.428);
        VPD uTorso(.016487, 961.34, 103.23).joint(rHip);
        COMFB2 -.029574 -.26929 j lAnkle
        VPD lThigh(-1.3407, -284.47, -34.975).joint(lHip).flags(s);
        VFSFB uTorso(104.17).by(rAnkle).speed(2.2618);
    ENDACTIONS
    TRANSITION to(2).after(time .19242);
ENDPHASE

# Was phase 0 of _run_gait.ctl.
PHASE 2
    ACTIONS
        POSE waist(-.20246, 647.32, 31.27), lTorso2uTorso(.034819, 579.21, 30.193),
             neck2head(-.022136, 98.06, 11.716), uTorso2neck(.044856, 96.049, 10.329);
        POSE lElbow(-1.1383, 106.38, 28.214), rElbow(-1.3578, 100.22, 30.001),
             lWrist(.066608, 2.9767, 4.2496), rWrist(-.057111, 4.8414, 6.3838);
        POSE lShoulder(-.59771, 100.95, 27.075), rShoulder(.54043, 92.893, 28.437);
        POSE rKnee(2.1423, 289.61, 29.933), lKnee(.0073602, 295.03, 33.442),
             rAnkle(-.077069, 284.09, 30.655), lAnkle(-.29447, 305.49, 31.557);
        VPD uTorso(-.016603, 981.28, 106.36).joint(lHip);
        COMFB2 .034717 -.25689 j rAnkle
        VPD rThigh(-.98665, -310.08, -31.681).joint(rHip).flags(s);
        VFSFB uTorso(102.55).by(lAnkle).speed(2.1474);
    ENDACTIONS
    TRANSITION to(3).after(time .21059);
ENDPHASE

# Was phase 1 of _run_gait.ctl.
PHASE 3
    ACTIONS
        POSE rShoulder(-.5699, 111.71, 30.443), lShoulder(.67807, 95.275, 28.872);
        POSE lKnee(2.2681, 294.36, 30.421), rKnee(-.00033859, 288.49, 30.374),
             lAnkle(-.3228, 280.35, 31.737), rAnkle(-.036695, 337, 32.124);
        VPD uTorso(-.014507, 970.89, 101.33).joint(rHip);
        COMFB2 .070515 -.3246 j lAnkle
        VPD lThigh(-.89983, -293.34, -30.987).joint(lHip).flags(s);
        VFSFB uTorso(106.02).by(rAnkle).speed(2.3193);
    ENDACTIONS
    TRANSITION to(4).after(time .20544);
ENDPHASE

# walk takes over.
PHASE 4
    > walk.ctl(void);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
