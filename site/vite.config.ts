import { globSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { imagetools } from "vite-imagetools";
import { portalShapes } from "./app/portal/frame/shapes.ts";

/** The styles below the first screen of home in stylesheets of their own, which home links (`LaterStyles`) and other pages contain. */
const laterStyles = [
  {
    name: "later-frame",
    test: /\/app\/(?:frame\/(?:footer|contact-block|error-page)|visits\/visit-(?:notice|switch)|ui\/(?:scene|side-panel))\.module\.css$/,
    priority: 4,
  },
  { name: "later-controls", test: /\/app\/(?:frame\/(?:enquiry|embedded)-form|ui\/(?:dialog|field))\.module\.css$/, priority: 4 },
  // A separate stylesheet, because few pages show arrows or stars.
  { name: "later-signs", test: /\/app\/ui\/sign\.module\.css$/, priority: 4 },
  { name: "later-home", test: /\/app\/(?:routes\/home\/(?:catalogue|sections)|ui\/carousel)\/[a-z-]+\.module\.css$/, priority: 4 },
];

export default defineConfig(({ command }) => ({
  plugins: [imagetools(), reactRouter(), smallerClient(), constantModules(), frameStyles(), shapesFile()],
  environments: {
    // React is one file for every island, and the shared code of the portal is one file: it compresses better than thirty. Modules that
    // public pages share with the portal have five users or more and are files of their own, so that public pages load nothing else of it.
    client: {
      build: {
        license: { fileName: "licenses.md" },
        rolldownOptions: {
          // A constant that two pages share is no reason for a file.
          optimization: { inlineConst: { mode: "all" } },
          output: {
            codeSplitting: {
              groups: [
                ...laterStyles,
                { name: "react", test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 3 },
                // Otherwise it would be part of "portal", whose styles every public page would contain.
                { name: "react-router", test: /node_modules\/react-router\//, priority: 3 },
                // For the same reason: public pages use these modules too.
                {
                  name: "london-days",
                  test: /\/app\/time\/(?:london-time|london-date|durations|last-day|working-days)\./,
                  minShareCount: 2,
                  priority: 3,
                },
                // Otherwise the root of the portal would load the content of the home page with it.
                { name: "document", test: /\/app\/document\/(?:document|server-content)\./, priority: 3 },
                {
                  name: fileName,
                  debugName: "shared",
                  test: /preload-helper|\/app\/ui\/(?!spinner\.)|\/content\/provider\./,
                  minShareCount: 5,
                  priority: 2,
                },
                // The client of the sign-in page, which loads nothing else of supabase-js.
                { name: "auth", test: /node_modules\/@supabase\/auth-js\/|\/app\/supabase\/(?:auth|publishable-key)\./, priority: 3 },
                // The forms of the portal, with all that the sign-in page uses of them.
                {
                  name: "form",
                  test: /\/app\/portal\/(?:forms\/(?:portal-form|form-errors|form-text|hold-input|question|new-id|sent-form|unsaved-form)|frame\/(?:notice|outcome|routing)|session\/password-field)\./,
                  priority: 2,
                },
                { name: "sign-in", test: /\/app\/portal\/sign-in\/(?:sign-in-form|queries)\./, priority: 2 },
                {
                  name: "portal",
                  // Modules that are loaded on demand or used by few pages are not in it.
                  test: /\/app\/(?:portal\/(?:(?:frame|forms|lists(?:\/open-record)?|live|records|session|time)\/)?(?!csv-file\.|record-panel\.|code-form\.|second-factor\.|copy-field\.|new-password)[^/]+|ui\/spinner(?:\.module)?)\.(?:css|tsx?)$/,
                  minShareCount: 3,
                  priority: 1,
                },
                // A file per subject compresses better than one per module. Without the clashes of trainers, which need the catalogue.
                { name: "bookable-dates", test: /\/app\/portal\/bookable-dates\/(?!trainer-clashes)/, minShareCount: 2, priority: 1 },
                // Modules that are loaded on demand are not in it.
                {
                  name: "booking",
                  test: /\/app\/portal\/bookings\/(?!(?:booking-letters|end-booking)\.)[^/]+\.tsx?$/,
                  minShareCount: 2,
                },
              ],
            },
          },
        },
      },
    },
    // The whole site as one `fetch`, which server/vite.config.ts builds into the process with its libraries.
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

// There are no vowels, so that no class name is a word that ad blockers hide.
const LETTERS = "bcdfghjklmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ";
const stylesheets = globSync("app/**/*.module.css", { cwd: import.meta.dirname }).toSorted();
const namesOfFiles = new Map<string, string[]>();

/** A name of three or four characters for a name in a CSS module, the same in every build: two letters for the file and a number. */
function shortName(name: string, file: string): string {
  const path = relative(import.meta.dirname, file);
  const names = namesOfFiles.get(path) ?? [];
  namesOfFiles.set(path, names);
  if (!names.includes(name)) names.push(name);
  const index = stylesheets.indexOf(path);
  if (index === -1) throw new Error(`${path} is not a stylesheet of app/.`);
  const letters = [Math.floor(index / LETTERS.length), index % LETTERS.length].map((digit) => LETTERS[digit]);
  return `${letters.join("")}${names.indexOf(name)}`;
}

/** The name of a module and of its stylesheet: "dialog". */
function fileName(id: string): string | null {
  return /([a-z-]+)(?:\.[a-z]+)+$/.exec(id)?.[1] ?? null;
}

/** The modules that Supabase's packages import, the package, and the file of this folder that replaces them in its imports. */
const REPLACED_MODULES = [
  { module: "@supabase/storage-js", importer: "/@supabase/supabase-js/", by: "storage-when-needed.ts" },
  { module: "@supabase/realtime-js", importer: "/@supabase/supabase-js/", by: "no-realtime.ts" },
  { module: "./GoTrueAdminApi", importer: "/@supabase/auth-js/", by: "admin-sign-out.ts" },
  { module: "./lib/webauthn", importer: "/@supabase/auth-js/", by: "no-webauthn.ts" },
  { module: "./lib/web3/ethereum", importer: "/@supabase/auth-js/", by: "no-webauthn.ts" },
] as const;

/** Leaves out the parts of supabase-js that the portal does not use, or not in its first screen. */
function smallerClient(): Plugin {
  return {
    name: "smaller-client",
    enforce: "pre",
    resolveId(source, importer) {
      const replaced = REPLACED_MODULES.find((entry) => entry.module === source && importer?.includes(entry.importer));
      return replaced ? fileURLToPath(new URL(`./${replaced.by}`, import.meta.url)) : null;
    },
  };
}

/** Writes the values that a module `*.constant.ts` exports into scripts for the browser, without the code and the content behind them. */
function constantModules(): Plugin {
  return {
    name: "constant-modules",
    apply: "build",
    async load(id) {
      if (this.environment.name !== "client" || !id.endsWith(".constant.ts")) return null;
      const values: object = await import(pathToFileURL(id).href);
      return Object.entries(values)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join("\n");
    },
  };
}

/** Leaves out the components of public pages that the portal does not use, and keeps their styles (`frame/styles.ts`). */
function frameStyles(): Plugin {
  return {
    name: "frame-styles",
    enforce: "post",
    transform: {
      filter: { id: /\/app\/(?:frame|visits|ui)\/[a-z-]+\.(?:module\.css|tsx)$/ },
      handler: (_code, id) => ({ moduleSideEffects: id.endsWith(".css") ? "no-treeshake" : false }),
    },
  };
}

/** Serves and builds the symbols of the portal, which are one file, so that scripts contain none of them. */
function shapesFile(): Plugin {
  return {
    name: "shapes-file",
    configureServer({ middlewares }) {
      middlewares.use("/shapes/portal.svg", (_request, response) => response.setHeader("Content-Type", "image/svg+xml").end(portalShapes));
    },
    generateBundle() {
      if (this.environment.name === "client") this.emitFile({ type: "asset", fileName: "shapes/portal.svg", source: portalShapes });
    },
  };
}
