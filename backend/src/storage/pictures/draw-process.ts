import { serveOrders } from "../../image-worker.ts";

// The program that draws stored pictures in other sizes.
await serveOrders(() => import("./draw.ts"));
