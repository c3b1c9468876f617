import { serveOrders } from "../../draw-process.ts";

// The program that draws stored pictures in other sizes.
await serveOrders(() => import("./draw.ts"));
