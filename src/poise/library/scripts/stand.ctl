# Stands, and a virtual force through both ankles keeps the centre of mass over the feet.
SCRIPTS _stand.ctl;

BEGINSCRIPT stand(void)
PHASE 0
    > _stand.ctl(1, 1.5);
    TRANSITION to(-1).after(fallen x 1.2);
ENDPHASE
ENDSCRIPT
