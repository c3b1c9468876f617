import { dirname, join, relative } from "node:path";
import { defineConfig, type Plugin } from "vite";

const OUTPUT = join(import.meta.dirname, "build");

/** Packages that the build imports: native code, packages that read files of their own folder, and large packages for rare requests. */
export const PACKAGES_BESIDE_BUILD = [
  "@aws-sdk/client-s3",
  "@aws-sdk/lib-storage",
  "@electric-sql/pglite",
  "@node-rs/argon2",
  "@node-rs/bcrypt",
  "@node-saml/node-saml",
  "nodemailer",
  "openid-client",
  "pg-native",
  "pino",
  "sharp",
  "vite",
];

// Builds the process and the command-line tool into few files, which load faster and keep less source in memory than 500 modules. Functions
// keep their names, for stack traces.
export default defineConfig({
  plugins: [filesBesideSources(), oneByteCharacters()],
  // Otherwise the build would contain React's development build too.
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  ssr: {
    noExternal: true,
    external: PACKAGES_BESIDE_BUILD,
  },
  build: {
    ssr: true,
    outDir: OUTPUT,
    license: { fileName: "licenses.md" },
    // One folder, so that every file of the build has the same relative path to the sources.
    assetsDir: "",
    target: "node26",
    rolldownOptions: {
      // React Router's "use client" means nothing here.
      checks: { moduleLevelDirective: false },
      input: ["site.ts", "backend.ts", "../operations/larkfell.ts"],
      output: { comments: false, minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } } },
    },
  },
});

const NEW_URL = /new URL\(("\.{1,2}\/[^"]+"), import\.meta\.url\)/g;

/** Builds the workers and programs that a module starts as files of their own; other files that it names stay where they are. */
function filesBesideSources(): Plugin {
  return {
    name: "files-beside-sources",
    enforce: "pre",
    // Vite would return a path of a website.
    resolveFileUrl: ({ relativePath }) => `new URL(${JSON.stringify(relativePath)}, import.meta.url)`,
    transform(code, id) {
      if (id.startsWith("\0") || id.includes("node_modules") || !code.includes("import.meta.")) return null;
      const started = new Map<string, string>();
      for (const [, quoted = ""] of code.matchAll(NEW_URL)) {
        const path: string = JSON.parse(quoted);
        if (path.endsWith(".ts")) started.set(quoted, this.emitFile({ type: "chunk", id: join(dirname(id), path) }));
      }
      return code
        .replace(NEW_URL, (whole, quoted: string) => {
          const file = started.get(quoted);
          return file === undefined ? whole : `import.meta.ROLLUP_FILE_URL_${file}`;
        })
        .replaceAll("import.meta.url", `new URL(${JSON.stringify(relative(OUTPUT, id))}, import.meta.url).href`)
        .replaceAll("import.meta.dirname", `(import.meta.dirname + ${JSON.stringify(`/${relative(OUTPUT, dirname(id))}`)})`);
    },
  };
}

/** Writes characters beyond Latin-1 as escapes: with a single one of them, V8 keeps a whole file with two bytes per character. */
function oneByteCharacters(): Plugin {
  return {
    name: "one-byte-characters",
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== "chunk") continue;
        if (/\\[^\0-\xff]/.test(output.code)) throw new Error(`${output.fileName}: a character after a backslash cannot be escaped`);
        output.code = output.code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
      }
    },
  };
}
