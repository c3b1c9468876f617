import { serveOrders } from "backend/draw-process.ts";

// The program that draws the pictures of links to posts.
await serveOrders(() => import("./draw-link-picture.ts"));
