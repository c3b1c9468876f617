import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

const dependenciesSchema = z.record(z.string(), z.string()).default({});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().default("no licence named"),
      dependencies: dependenciesSchema,
      optionalDependencies: dependenciesSchema,
    }),
  ),
});

/** A package of the installation, by its folder: `node_modules/pino`. */
export interface InstalledPackage {
  folder: string;
  name: string;
  version: string;
  license: string;
}

/** Finds the packages that modules of `from` import, with all packages that those need; packages for other systems are not installed. */
export function findPackages(root: string, from: string, names: readonly string[]): InstalledPackage[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  const found = new Map<string, InstalledPackage>();

  function add(importer: string, name: string, isOptional: boolean): void {
    const folder = ancestors(importer)
      .map((directory) => join(directory, "node_modules", name))
      .find((path) => packages[path] && existsSync(join(root, path)));
    const entry = folder === undefined ? undefined : packages[folder];
    if (folder === undefined || entry === undefined) {
      if (isOptional) return;
      throw new Error(`${importer} needs ${name}, which is not installed`);
    }
    // Only the compiler needs types.
    if (found.has(folder) || name.startsWith("@types/")) return;
    found.set(folder, { folder, name, version: entry.version ?? "", license: entry.license });
    for (const needed of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      add(folder, needed, needed in entry.optionalDependencies);
  }

  for (const name of names) add(from, name, false);
  return [...found.values()].toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** The folder, its parent and so on to the root, which is empty. */
function ancestors(folder: string): string[] {
  return folder === "." ? [""] : [folder, ...ancestors(dirname(folder))];
}
