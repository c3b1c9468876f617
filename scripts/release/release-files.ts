import { globSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { PACKAGES_BESIDE_BUILD } from "../../server/vite.config.ts";
import { findPackages, type InstalledPackage } from "./packages.ts";

/** A file of the release: its path in it, and its source or its text. */
export interface ReleaseFile {
  path: string;
  content: { file: string } | { text: string };
  isExecutable?: true;
}

/** Name of the release of this version for this system, which is also the folder in the tarball. */
export const RELEASE_NAME = `larkfell-${packageJson.version}-${process.platform}-${process.arch}`;

/** Files that the build reads at run time, or that operators need. */
const OWN_FILES = [
  "server/build/**",
  "server/og-images/{background.webp,fonts.conf,fonts/**}",
  "site/build/client/**",
  "site/public/**",
  "backend/build/empty-cluster.tar.gz",
  "backend/migrations/*.sql",
  "supabase/{config.toml,seed.sql,migrations/*.sql,templates/*}",
  // The build contains the functions; the backend looks for these files to know their names.
  "supabase/functions/*/index.ts",
  ".env.example",
  "CHANGELOG.md",
  "docs/{operate,grow}.md",
  "docs/{monitoring,proxy,systemd}/*",
];
/** The server names it as text: it formats the log on a terminal. */
const NAMED_PACKAGES = ["pino-pretty"];
/** In the list of packages beside the build, and not used by a release: for development, and not installed. */
export const UNUSED = new Set(["vite", "pg-native"]);
const NOT_NEEDED = /\.d\.[cm]?ts$|\.test\.|\.map$|\/(?:tests?|__tests__)\/|\/\.setup-stamp$/;

/** Lists the files of a release of this checkout, which is built, ordered by path. */
export function releaseFiles(root: string): ReleaseFile[] {
  const names = [...PACKAGES_BESIDE_BUILD.filter((name) => !UNUSED.has(name)), ...NAMED_PACKAGES];
  const packages = findPackages(root, "server/build", names);
  const node = `node_modules/node-${process.platform}-${process.arch}`;
  const library = sharedLibrary("libatomic.so.1");
  return [
    ...filesOf(root, OWN_FILES),
    // Packages inside packages are in the list themselves.
    ...packages.flatMap(({ folder }) => filesOf(root, [`${folder}/**`], [`${folder}/node_modules/**`])),
    {
      path: "package.json",
      content: { text: `${JSON.stringify({ name: packageJson.name, version: packageJson.version, type: "module" })}\n` },
    },
    // The server starts the tool at this path for the nightly backup.
    { path: "operations/larkfell.ts", content: { text: 'import "../server/build/larkfell.js";\n' } },
    { path: "LICENSES.md", content: { text: licenses(root, packages, join(node, "LICENSE"), library !== undefined) } },
    { path: "larkfell", content: { file: join(import.meta.dirname, "larkfell") }, isExecutable: true as const },
    { path: "bin/node", content: { file: join(root, node, "bin/node") }, isExecutable: true as const },
    ...(library === undefined ? [] : [{ path: "lib/libatomic.so.1", content: { file: library } }]),
  ].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function filesOf(root: string, patterns: readonly string[], exclude: readonly string[] = []): ReleaseFile[] {
  return globSync(patterns, { cwd: root, exclude })
    .filter((path) => statSync(join(root, path)).isFile() && !NOT_NEEDED.test(path))
    .map((path) => ({ path, content: { file: join(root, path) } }));
}

/** Finds a library of the system that Node loaded; undefined if it needs none of that name. */
function sharedLibrary(name: string): string | undefined {
  if (process.report === undefined) return undefined;
  const { sharedObjects } = z.object({ sharedObjects: z.array(z.string()) }).parse(process.report.getReport());
  const file = sharedObjects.find((path) => path.endsWith(`/${name}`));
  return file === undefined ? undefined : realpathSync(file);
}

function licenses(root: string, packages: readonly InstalledPackage[], nodeLicense: string, hasLibrary: boolean): string {
  const read = (path: string): string => readFileSync(join(root, path), "utf8").trim();
  return [
    "# Licences of others",
    "## Packages in `node_modules`, each with its licence in its folder",
    packages.map(({ name, version, license }) => `- ${name} ${version}: ${license}`).join("\n"),
    ...(hasLibrary ? ["## `lib/libatomic.so.1`", "Part of GCC (https://gcc.gnu.org): GPL-3.0-or-later WITH GCC-exception-3.1."] : []),
    "## Packages in `server/build`",
    read("server/build/licenses.md"),
    "## Packages in `site/build/client`",
    read("site/build/client/licenses.md"),
    "## `bin/node`",
    read(nodeLicense),
    "",
  ].join("\n\n");
}
