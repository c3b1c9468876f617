import { serveOrders } from "../backend/src/draw-process.ts";

// The program that draws the pictures of links to posts.
await serveOrders(() => import("./draw-link-picture.ts"));
