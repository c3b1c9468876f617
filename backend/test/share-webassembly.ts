import { readFile } from "node:fs/promises";

// V8 shares the compiled code of a WebAssembly module between the threads of a process while one of them holds the module. Otherwise
// each embedded database of a test file would compile PGlite again.
const holder: typeof globalThis & { pgliteModule?: WebAssembly.Module } = globalThis;
holder.pgliteModule ??= await WebAssembly.compile(await readFile(new URL("pglite.wasm", import.meta.resolve("@electric-sql/pglite"))));
