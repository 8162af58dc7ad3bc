"""Physical constants and tolerances, each with its reason. Published parameters live in data files, not here."""

GRAVITY_MPS2 = 9.81

#: The sources' own step [Coros10 §5.4]; search may use 0.001 s and previews 0.002 s.
DEFAULT_TIMESTEP_S = 0.0005
MIN_TIMESTEP_S = 1e-5
#: Above this a stiff biped no longer walks.
MAX_TIMESTEP_S = 0.005

#: Rate at which a run is recorded unless asked otherwise: twice the highest frame rate that people watch.
DEFAULT_RECORD_HZ = 100.0

#: A foot has struck when it carries this much; less may be a graze [Coros10, released code].
STRIKE_LOAD_N = 20.0
#: A foot has left the ground when it carried less than this for LIFT_OFF_S without a break: contacts chatter.
LIFT_LOAD_N = 1.0
LIFT_OFF_S = 0.03

#: A trunk this far from upright has fallen; bent-over walks reach about 1 rad.
FALL_TILT_RAD = 1.4
#: A head or pelvis below this part of its standing height has fallen; a deep squat stays above it.
FALL_HEIGHT_RATIO = 0.45
#: Segments (by role) that may not touch the ground without counting as a fall.
FALL_ROLES = ("pelvis", "trunk", "head", "left_thigh", "right_thigh")
#: A body that is upright for this long after a fall is back on its feet.
UP_S = 0.3

#: Contacts of one tick that are kept, at least, and for each of many characters; a sprawling humanoid has about thirty.
MAX_CONTACTS = 256
MAX_CONTACTS_EACH = 48
MAX_EVENTS = 4096
MAX_PUSHES = 64
MAX_SPRINGS = 32

#: MuJoCo's own contact: time constant and damping ratio. 0.005 gives a firm floor that still walks at 0.002 s.
CONTACT_SOLREF = (0.005, 1.0)
#: Memory for contacts and constraints, set generously: an overflow inside the C code could end the process. A heap of
#: 28 humanoids takes 3 MB of it.
ARENA_BYTES = 64 * 2**20

#: How long the compiled loop keeps the interpreter waiting.
CHUNK_WALL_S = 0.008

#: The plane in which the planar body of [Firmin15]'s released code moves, z out of the page.
PLANE_Z_M = -10.0
