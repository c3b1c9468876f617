import { spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

type Import = [file: string, imported: string];

const FORBIDDEN: Import[] = [
  ["content/courses/cctv.ts", "zod"],
  ["content/courses/cctv.ts", "../../backend/src/index.ts"],
  ["backend/src/index.ts", "content/provider.ts"],
  ["backend/src/index.ts", "server/listen.ts"],
  ["backend/src/index.ts", "../../site/app/seo/page-meta.ts"],
  ["backend/src/auth/token.ts", "../rest/index.ts"],
  ["backend/src/rest/plan/plan.ts", "../../auth/index.ts"],
  ["backend/src/functions/index.ts", "../auth/users.ts"],
  ["backend/src/rest/plan/plan.ts", "../../index.ts"],
  ["backend/src/db/pglite/pglite.ts", "../../rest/index.ts"],
  ["supabase/functions/record-page-view/index.ts", "backend"],
  ["supabase/functions/record-page-view/index.ts", "../../../site/app/seo/page-meta.ts"],
  ["site/app/routes/home/home.tsx", "backend"],
  ["site/app/routes/home/home.tsx", "backend/index.ts"],
  ["site/app/root.tsx", "server/listen.ts"],
  ["site/app/ui/button.tsx", "../seo/page-meta.ts"],
  ["site/app/ui/button.tsx", "content/provider.ts"],
  ["site/app/routes/home/home.tsx", "../blog/post.tsx"],
  ["site/app/routes/home/home.tsx", "../../portal/areas.ts"],
  ["site/app/portal/blog/blog.tsx", "../../routes/home/home-page.tsx"],
];

const ALLOWED: Import[] = [
  ["content/courses/cctv.ts", "../types.ts"],
  ["backend/src/auth/token.ts", "../jwt.ts"],
  ["backend/src/app.ts", "./rest/index.ts"],
  ["supabase/functions/record-page-view/index.ts", "content/courses/index.ts"],
  ["supabase/functions/record-page-view/index.ts", "../_shared/answer.ts"],
  ["supabase/functions/record-page-view/index.ts", "../../database.types.ts"],
  ["server/site.ts", "backend"],
  ["site/app/routes/home/home.tsx", "../../seo/page-meta.ts"],
  ["site/app/routes/home/home.tsx", "content/provider.ts"],
  ["site/app/ui/button.tsx", "./field.tsx"],
];

/** Of all those imports the ones that lint refuses. */
let refused: Import[];
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), "arrows-"));
  await copyFile(join(ROOT, ".oxlintrc.json"), join(directory, ".oxlintrc.json"));
  const all = [...FORBIDDEN, ...ALLOWED];
  // What may be imported is said of folders: each file stands for those beside it.
  const beside = (index: number, file: string): string => join(dirname(file), `file-${index}${extname(file)}`);
  for (const [index, [file, imported]] of all.entries()) {
    await mkdir(join(directory, dirname(file)), { recursive: true });
    await writeFile(join(directory, beside(index, file)), `export * from ${JSON.stringify(imported)};\n`);
  }
  const { stdout } = spawnSync(join(ROOT, "node_modules", ".bin", "oxlint"), ["--format=unix"], { cwd: directory, encoding: "utf8" });
  await rm(directory, { recursive: true });
  const lines = stdout.split("\n").filter((line) => line.includes("no-restricted-imports"));
  refused = all.filter(([file], index) => lines.some((line) => line.startsWith(`${beside(index, file)}:`)));
});

test.each(FORBIDDEN)("%s may not import %s", (...each) => {
  expect(refused).toContainEqual(each);
});

test.each(ALLOWED)("%s may import %s", (...each) => {
  expect(refused).not.toContainEqual(each);
});
