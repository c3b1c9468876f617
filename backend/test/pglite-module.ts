import { readFile } from "node:fs/promises";

const holder: typeof globalThis & { pgliteModule?: Promise<WebAssembly.Module> } = globalThis;

/** The compiled code of PGlite, one per process; a database that gets it neither reads nor validates it. */
export function pgliteModule(): Promise<WebAssembly.Module> {
  return (holder.pgliteModule ??= compile());
}

async function compile(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL("pglite.wasm", import.meta.resolve("@electric-sql/pglite"))));
}
