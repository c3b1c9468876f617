import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { FunctionModule } from "backend";

// Vite, which sets import.meta.env, replaces the call by the functions of the build.
const found = import.meta.env ? import.meta.glob<FunctionModule>("../supabase/functions/*/index.ts") : {};
const built = new Map(Object.entries(found).map(([path, load]) => [fileURLToPath(new URL(path, import.meta.url)), load]));

/** Imports the module of an edge function by its path: from the build if it contains the function, else from its file. */
export function importFunction(file: string): Promise<FunctionModule> {
  const load = built.get(resolve(file));
  return load ? load() : import(pathToFileURL(file).href);
}
