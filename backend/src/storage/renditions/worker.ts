import { serveTasks } from "../../images/image-worker.ts";

// The program of the workers that render stored images.
await serveTasks(() => import("./render.ts"));
