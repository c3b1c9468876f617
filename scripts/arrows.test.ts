import { spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "arrows-"));
  await copyFile(join(ROOT, ".oxlintrc.json"), join(directory, ".oxlintrc.json"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Whether lint refuses an import in a file at this place. */
async function refuses(file: string, imported: string): Promise<boolean> {
  const path = join(directory, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `export * from ${JSON.stringify(imported)};\n`);
  const { stdout } = spawnSync(join(ROOT, "node_modules", ".bin", "oxlint"), [file], { cwd: directory, encoding: "utf8" });
  await rm(path);
  return stdout.includes("no-restricted-imports");
}

test.each([
  ["content/courses/cctv.ts", "zod"],
  ["content/courses/cctv.ts", "../../backend/src/index.ts"],
  ["backend/src/start.ts", "content/provider.ts"],
  ["backend/src/start.ts", "../../site/app/seo.ts"],
  ["backend/src/auth/token.ts", "../rest/index.ts"],
  ["backend/src/rest/plan.ts", "../auth/index.ts"],
  ["backend/src/functions/index.ts", "../auth/users.ts"],
  ["backend/src/rest/plan.ts", "../index.ts"],
  ["backend/src/db/pglite.ts", "../rest/index.ts"],
  ["supabase/functions/record-page-view/index.ts", "backend"],
  ["supabase/functions/record-page-view/index.ts", "../../../site/app/seo.ts"],
  ["site/app/routes/home/home.tsx", "backend"],
  ["site/app/routes/home/home.tsx", "backend/start.ts"],
  ["site/app/ui/button.tsx", "../seo.ts"],
  ["site/app/ui/button.tsx", "content/provider.ts"],
  ["site/app/routes/home/home.tsx", "../blog/post.tsx"],
  ["site/app/routes/admin/blog/blog.tsx", "../../home/home-page.tsx"],
])("%s may not import %s", async (file, imported) => {
  expect(await refuses(file, imported)).toBe(true);
});

test.each([
  ["content/courses/cctv.ts", "../types.ts"],
  ["backend/src/auth/token.ts", "../jwt.ts"],
  ["backend/src/app.ts", "./rest/index.ts"],
  ["supabase/functions/record-page-view/index.ts", "content/courses/index.ts"],
  ["supabase/functions/record-page-view/index.ts", "../_shared/answer.ts"],
  ["supabase/functions/record-page-view/index.ts", "../../database.types.ts"],
  ["site/server.ts", "backend/start.ts"],
  ["site/app/routes/home/home.tsx", "../../seo.ts"],
  ["site/app/routes/home/home.tsx", "content/provider.ts"],
  ["site/app/ui/button.tsx", "./field.tsx"],
])("%s may import %s", async (file, imported) => {
  expect(await refuses(file, imported)).toBe(false);
});
