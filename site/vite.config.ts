import { fileURLToPath } from "node:url";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { imagetools } from "vite-imagetools";

export default defineConfig({
  plugins: [imagetools(), reactRouter(), storageWhenNeeded()],
  resolve: { alias: { "@supabase/realtime-js": fileURLToPath(new URL("./no-realtime.ts", import.meta.url)) } },
  environments: {
    // What every page with a living part needs comes in one piece: React. What most screens of the portal share comes in another, with
    // the packages it needs: one file is smaller than thirty. Public pages have a few parts in common with it, and load nothing else of it.
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: "react", test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 3 },
                {
                  name: fileName,
                  debugName: "shared",
                  test: /preload-helper|\/app\/ui\/(?:button|dialog|field|message|spinner)\.|\/content\/provider\./,
                  priority: 2,
                },
                {
                  name: "portal",
                  test: /\/app\/portal\/(?:(?:frame|forms|session|lists|records|time)\/)?[^/]+\.(?:css|tsx?)$/,
                  minShareCount: 3,
                  priority: 1,
                },
              ],
            },
          },
        },
      },
    },
    // The server build is the whole site as one `fetch`; server.ts gives it a backend and a port.
    ssr: { build: { rollupOptions: { input: "./app/server/site.server.ts" } } },
  },
  build: {
    target: "es2022",
    // Older targets rewrite light-dark(), after which a dark part of a light page keeps the light colours.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
  },
});

/** "dialog", of a module and of its stylesheet. */
function fileName(id: string): string | null {
  return /([a-z-]+)(?:\.[a-z]+)+$/.exec(id)?.[1] ?? null;
}

/** Gives supabase-js a storage client that is loaded when it is first used; everybody else gets the real one. */
function storageWhenNeeded(): Plugin {
  return {
    name: "storage-when-needed",
    enforce: "pre",
    resolveId: (source, importer) =>
      source === "@supabase/storage-js" && importer?.includes("/@supabase/supabase-js/")
        ? fileURLToPath(new URL("./storage-when-needed.ts", import.meta.url))
        : null,
  };
}
