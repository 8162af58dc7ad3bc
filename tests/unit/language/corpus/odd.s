Prose before the script may say anything: SET and BEGIN are not yet words of it.
# SCRIPTS wrong.t; and SET TORQUELIMIT = 1 in a comment do not count
SET TORQUELIMIT=170; # after it, anything
BEGINSCRIPT odd-label.with:signs(time, x, j, linterp, to, _z)
PHASE -1
    ACTIONS
        COMFB2 x j j lAnkle
        VPD uTorso(time,to,linterp).joint(rHip);
        POSEFB lHip(1, 2).on(jointlAnkle);
    ENDACTIONS
    ENVACTIONStoggleVisible(BOX);
    ENDACTIONS
    ACTIONS
        # blocks may come twice
    ENDACTIONS
    TRANSITION to(0).after(fallen x x);
ENDPHASE ENDSCRIPT
SCRIPTS after#the-script.t;
