# Stands in space: virtual forces through both ankles keep the centre of mass between the feet, ahead and to the side.
SCRIPTS _humanoid_stand.ctl;
CHARACTER humanoid;

BEGINSCRIPT stand(void)
PHASE 0
    > _humanoid_stand.ctl(.5, 1);
    TRANSITION to(-1).after(fallen x 1);
ENDPHASE
ENDSCRIPT
