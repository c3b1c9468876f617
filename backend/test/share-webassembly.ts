import { pgliteModule } from "./pglite-module.ts";

// V8 shares the compiled code of a WebAssembly module between the threads of a process while one of them holds the module. Otherwise
// each embedded database that a test opens by its directory would compile PGlite again.
await pgliteModule();
