export { Theatre } from "./theatre.js";
