# One cycle of a run in two phases of a fixed time, one for each leg; a phase begins with a push of the other leg that
# leaves the ground. dt: time of a step; cd, cv: feedback gains of the swing thigh, measured from its own ankle; tor:
# lean of the trunk; swh, swk: swing thigh and knee; stk: stance knee; swa, sta: swing and stance ankle; speed and gain:
# a virtual force through the stance ankle towards a speed.
SET dt = .2
SET cd = 0
SET cv = -.2
SET tor = .14
SET swh = -1.1
SET swk = 2.2
SET stk = .05
SET swa = -.2
SET sta = -.27
SET speed = 2.2
SET gain = 0

BEGINSCRIPT run_gait(dt, cd, cv, tor, swh, swk, stk, swa, sta, speed, gain)
PHASE 0
    ACTIONS
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 100, 10),
             uTorso2neck(0, 100, 10);
        POSE lElbow(-1.4, 100, 30), rElbow(-1.4, 100, 30), lWrist(0, 5, 3), rWrist(0, 5, 3);
        POSE lShoulder(-.6, 100, 30), rShoulder(.6, 100, 30);
        POSE rKnee(swk), lKnee(stk), rAnkle(swa), lAnkle(sta);
        VPD uTorso(tor, 1000, 100).joint(lHip);
        COMFB2 cd cv j rAnkle
        VPD rThigh(swh, -300, -30).joint(rHip).flags(s);
        VFSFB uTorso(gain).by(lAnkle).speed(speed);
    ENDACTIONS
    TRANSITION to(1).after(time dt);
ENDPHASE

PHASE 1
    ACTIONS
        POSE rShoulder(-.6, 100, 30), lShoulder(.6, 100, 30);
        POSE lKnee(swk), rKnee(stk), lAnkle(swa), rAnkle(sta);
        VPD uTorso(tor, 1000, 100).joint(rHip);
        COMFB2 cd cv j lAnkle
        VPD lThigh(swh, -300, -30).joint(lHip).flags(s);
        VFSFB uTorso(gain).by(rAnkle).speed(speed);
    ENDACTIONS
    TRANSITION to(-1).after(time dt);
ENDPHASE
ENDSCRIPT
