import { serveTasks } from "backend/image-worker.ts";

// The program of the workers that render Open Graph images.
await serveTasks(() => import("./render.ts"));
