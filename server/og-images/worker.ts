import { serveOrders } from "backend/image-worker.ts";

// The program that draws the pictures of links to posts.
await serveOrders(() => import("./render.ts"));
