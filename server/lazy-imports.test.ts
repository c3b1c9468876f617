import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SHORT_LIVED, startServer } from "backend/test/server-process.ts";
import { expect, test } from "vitest";

// Prints the packages that the main thread imports.
const PRINT_IMPORTS = `import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";
if (isMainThread) registerHooks({ load(url, context, next) {
  const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\/(?!.*node_modules)/.exec(url)?.[1];
  if (name) process.stdout.write("import " + name + "\\n");
  return next(url, context);
} });`;

const OPTIONAL = [
  "@aws-sdk/client-s3",
  "@aws-sdk/lib-storage",
  "@tus/server",
  "sharp",
  "@node-saml/node-saml",
  "openid-client",
  "file-type",
];

test("the backend starts without the packages of optional features", async () => {
  await using cleanup = new AsyncDisposableStack();
  const directory = cleanup.adopt(await mkdtemp(join(tmpdir(), "larkfell-imports-")), (path) => rm(path, { recursive: true, force: true }));
  const SUPABASE_DIR = join(directory, "supabase");
  await mkdir(SUPABASE_DIR);
  await writeFile(join(SUPABASE_DIR, "config.toml"), "");
  const env = { DATA_DIR: join(directory, "data"), SUPABASE_DIR, LOG_LEVEL: "error" };
  const hooks = `data:text/javascript,${encodeURIComponent(PRINT_IMPORTS)}`;
  await using server = await startServer("server/backend.ts", env, { flags: [...SHORT_LIVED, "--import", hooks] });
  const imported = new Set(
    server
      .output()
      .matchAll(/^import (\S+)$/gm)
      .map(([, name]) => name),
  );
  expect(imported).toContain("hono");
  expect(OPTIONAL.filter((name) => imported.has(name))).toEqual([]);
});
