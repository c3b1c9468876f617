import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LIST = "backend/src/sqlstates.ts";
/** A text that is an SQLSTATE of PostgreSQL or a PTnnn. */
const SQLSTATE = /(["'])(?:0[0-9A-Z]|2[0-9A-Z]|3[489BDF]|4[024]|5[34578]|72|F0|HV|P0|PT|XX)[0-9A-Z]{3}\1/;

test("every SQLSTATE is written in one list, and other code imports it", () => {
  const files = globSync("{backend/src,operations,server,site/app,supabase/functions}/**/*.{ts,tsx}", {
    cwd: ROOT,
    exclude: ["**/{node_modules,build}", "**/*.test.{ts,tsx}"],
  });
  expect(files.filter((file) => SQLSTATE.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([LIST]);
});
