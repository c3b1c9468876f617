import { writeSync } from "node:fs";
import { registerHooks } from "node:module";

// Imported with --import before a program: prints the address of every module that the program loads.
registerHooks({
  load(url, context, nextLoad) {
    writeSync(2, `loaded ${url}\n`);
    return nextLoad(url, context);
  },
});
