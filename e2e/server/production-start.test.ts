import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startServer } from "backend/test/server-process.ts";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = ["backend", "content", "scripts", "server", "site", "supabase", "package.json", "package-lock.json", "tsconfig.json"];
const LEFT_OUT = ["node_modules", "build", ".react-router", "data", "test-results"];

/** Prints the files of React that the process has run; the module cache also lists files that were only parsed. */
const REPORT_REACT = `process.on("SIGUSR2", () => {
  const modules = Object.values(require("node:module")._cache);
  console.log("LOADED", modules.filter(({ loaded, filename }) => loaded && /[\\\\/]react/.test(filename)).map(({ filename }) => filename).join(" "));
});`;

test("npm start installs without development dependencies and without install scripts", async () => {
  expect(packageJson.scripts.prestart).toContain("--production");
  const setup = await readFile(join(ROOT, "scripts/setup.mjs"), "utf8");
  expect(setup).toContain("--omit=dev");
  expect(setup).toContain("--ignore-scripts");
});

test.skipIf(process.platform !== "linux")(
  "the site builds and starts without development dependencies, with React for production",
  async () => {
    await using cleanup = new AsyncDisposableStack();
    const copy = cleanup.adopt(await mkdtemp(join(tmpdir(), "larkfell-production-")), (path) => rm(path, { recursive: true, force: true }));
    await copySources(copy);
    await linkProductionPackages(copy);
    const node = join(copy, "node_modules/.bin/node");
    await promisify(execFile)(node, ["scripts/setup.mjs", "--production", "--build"], { cwd: copy });

    const report = join(copy, "report-react.cjs");
    await writeFile(report, REPORT_REACT);
    const [, settings = "", entry = ""] = /^(.*) exec node (?:--\S+ )*(\S+)$/.exec(packageJson.scripts.start) ?? [];
    const environment = Object.fromEntries(
      settings.split(" ").map((setting): [string, string] => [setting.split("=")[0] ?? "", setting.split("=")[1] ?? ""]),
    );
    const server = await startServer(
      join(copy, entry),
      { ...environment, DATA_DIR: join(copy, "data") },
      { flags: [`--require=${report}`], healthPath: "/health" },
    );
    cleanup.use(server);
    expect((await fetch(server.url)).status).toBe(200);
    server.child.kill("SIGUSR2");
    await expect.poll(() => server.output()).toContain("LOADED");
    const loaded = /LOADED (.*)/.exec(server.output())?.[1] ?? "";
    expect(loaded).toContain("production");
    expect(loaded).not.toContain("development");
  },
);

function copySources(to: string): Promise<unknown> {
  const filter = (path: string): boolean => !LEFT_OUT.some((name) => path.split("/").includes(name) && !ROOT.split("/").includes(name));
  return Promise.all(SOURCES.map((name) => cp(join(ROOT, name), join(to, name), { recursive: true, filter })));
}

/** Hard-links the packages that `npm ci --omit=dev` would install, with the stamp of a complete installation. */
async function linkProductionPackages(to: string): Promise<void> {
  const lock: { packages: Record<string, { dev?: boolean; link?: boolean }> } = JSON.parse(
    await readFile(join(ROOT, "package-lock.json"), "utf8"),
  );
  const wanted = Object.entries(lock.packages).flatMap(([path, { dev }]) => (path.includes("node_modules/") && !dev ? [path] : []));
  for (const path of wanted) await mkdir(dirname(join(to, path)), { recursive: true });
  const outermost = wanted.filter((path) => path.lastIndexOf("node_modules/") === path.indexOf("node_modules/"));
  for (const path of [...outermost, "node_modules/.bin", "node_modules/.setup-stamp"]) {
    // A package for another platform is in the lockfile and not on this disk; another file system takes no hard links.
    const [source, target] = [join(ROOT, path), join(to, path)];
    if (existsSync(source) && spawnSync("cp", ["-alT", source, target]).status !== 0) spawnSync("cp", ["-aT", source, target]);
  }
}
