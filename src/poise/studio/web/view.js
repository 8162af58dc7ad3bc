// The Vue component of the 3-D view: passes Python's messages to the theatre and user actions to Python.
import { Theatre } from "poise-view";

export default {
  template: `<div class="poise-view"></div>`,
  mounted() {
    try {
      this.theatre = new Theatre(this.$el, {
        pull: (segment, point, target) => this.$emit("pull", { segment, point, target }),
        release: () => this.$emit("release"),
        steer: (command) => this.$emit("steer", command),
        rate: (frames) => this.$emit("rate", frames),
      });
    } catch (error) {
      this.$el.innerHTML = `<p class="poise-no-webgl">The 3-D view needs WebGL, which this browser does not provide. (${error.message})</p>`;
    }
    this.$el.theatre = this.theatre;
    this.$emit("ready");
  },
  beforeUnmount() {
    this.theatre?.dispose();
  },
  methods: {
    show_scene(scene, keep) {
      this.theatre?.showScene(scene, keep);
    },
    show_command(command) {
      this.theatre?.compass.show(command);
    },
    show_tracks(tracks) {
      this.theatre?.showTracks(tracks);
    },
    show_pose(count, numbers) {
      this.theatre?.showPose(numbers);
      if (count % 3 === 0) this.$emit("seen", count);
    },
    reset_camera() {
      this.theatre?.resetCamera();
    },
  },
};
