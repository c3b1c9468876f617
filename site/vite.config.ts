import { fileURLToPath } from "node:url";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { imagetools } from "vite-imagetools";

export default defineConfig({
  plugins: [imagetools(), reactRouter()],
  resolve: { alias: { "@supabase/realtime-js": fileURLToPath(new URL("./no-realtime.ts", import.meta.url)) } },
  environments: {
    // The server build is the whole site as one `fetch`; server.ts gives it a backend and a port.
    ssr: { build: { rollupOptions: { input: "./app/site.server.ts" } } },
  },
  build: {
    target: "es2022",
    // Older targets rewrite light-dark(), after which a dark part of a light page keeps the light colours.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
  },
});
