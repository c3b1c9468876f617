import { fileURLToPath } from "node:url";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { imagetools } from "vite-imagetools";

export default defineConfig(({ command }) => ({
  plugins: [imagetools(), reactRouter(), storageWhenNeeded()],
  resolve: { alias: { "@supabase/realtime-js": fileURLToPath(new URL("./no-realtime.ts", import.meta.url)) } },
  environments: {
    // React is one file for every island, and the shared code of the portal is one file: it compresses better than thirty. Modules that
    // public pages share with the portal have five users or more and are files of their own, so that public pages load nothing else of it.
    client: {
      build: {
        rolldownOptions: {
          // A constant that two pages share is no reason for a file.
          optimization: { inlineConst: { mode: "all" } },
          output: {
            codeSplitting: {
              groups: [
                { name: "react", test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 3 },
                // Else it would be part of "portal", whose styles every public page would contain.
                { name: "react-router", test: /node_modules\/react-router\//, priority: 3 },
                {
                  name: fileName,
                  debugName: "shared",
                  test: /preload-helper|\/app\/ui\/|\/content\/provider\./,
                  minShareCount: 5,
                  priority: 2,
                },
                {
                  name: "portal",
                  // Without the sign-in and CSV files, which are loaded on demand.
                  test: /\/app\/portal\/(?:(?:frame|forms|lists|records|time)\/)?(?!csv-file\.)[^/]+\.(?:css|tsx?)$/,
                  minShareCount: 3,
                  priority: 1,
                },
              ],
            },
          },
        },
      },
    },
    // The server build is the whole site as one `fetch`; server/site.ts connects it to a backend and a port.
    ssr: { build: { rollupOptions: { input: "./app/server/site.server.ts" } } },
  },
  // Short names, because every public page contains its styles. Both builds run in this process and so agree on them.
  css: command === "build" ? { modules: { generateScopedName: shortName } } : {},
  build: {
    target: "es2022",
    // For older targets light-dark() is rewritten in a way that gives dark parts of a light page the light colours.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
  },
}));

// Without vowels, so that no name is a word that blockers of advertisements hide.
const LETTERS = "bcdfghjklmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ";
const shortNames = new Map<string, string>();

/** A name of two or three characters for a class of a CSS module. */
function shortName(name: string, file: string): string {
  const key = `${file}#${name}`;
  const index = shortNames.get(key) ?? `${LETTERS[shortNames.size % LETTERS.length]}${Math.floor(shortNames.size / LETTERS.length)}`;
  shortNames.set(key, index);
  return index;
}

/** The name of a module and of its stylesheet: "dialog". */
function fileName(id: string): string | null {
  return /([a-z-]+)(?:\.[a-z]+)+$/.exec(id)?.[1] ?? null;
}

/** Makes supabase-js load its storage client at the first use. */
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
