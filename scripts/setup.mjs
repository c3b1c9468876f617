// Installs the packages once per lockfile, makes the files of an empty database and, with --build, builds the site and the server, each
// once per source; npm runs it before start and test.
// With --production it installs no development dependencies. Install scripts never run. Plain JavaScript for any Node from 20:
// it runs before the project's own Node is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");

install();
createEmptyCluster();
if (process.argv.includes("--build")) build();

function install() {
  const stamp = join(root, "node_modules", ".setup-stamp");
  const lock = hash([join(root, "package-lock.json")], `${process.platform} ${process.arch}`);
  const production = process.argv.includes("--production");
  const installed = read(stamp);
  if (installed === lock || (production && installed === `${lock} production`)) return;
  console.log("Installing packages…");
  const npm = process.env.npm_execpath;
  const [command, ...npmCli] = npm ? [process.env.npm_node_execpath ?? process.execPath, npm] : ["npm"];
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", production ? "--omit=dev" : "--include=dev"];
  run(command, [...npmCli, "ci", ...options], { cwd: root, env: process.env });
  // Node 26 needs a library that small Linux systems lack; its own message says which.
  run(join(bin, "node"), ["--eval", ""], { cwd: root, env: process.env });
  writeFileSync(stamp, production ? `${lock} production` : lock);
}

function createEmptyCluster() {
  const program = "backend/src/db/pglite/create-empty-cluster.ts";
  buildOnce("backend", [program, "backend/src/db/pglite/engine.ts"], () => {
    // The process is too short for the optimising WebAssembly compiler.
    run(join(bin, "node"), ["--liftoff-only", join(root, program)], { cwd: root, env: process.env });
  });
}

function build() {
  const site = join(root, "site");
  const siteSources = [
    "site/app",
    "site/public",
    "site/vite.config.ts",
    "site/react-router.config.ts",
    "content",
    "backend/src/sqlstates.ts",
  ];
  buildOnce("site", siteSources, () => {
    runTool(["@react-router", "dev", "bin.cjs"], ["build", "--logLevel", "warn"], site);
    run(join(bin, "node"), [join(root, "scripts", "compress-assets.ts"), join(site, "build", "client")], { cwd: root, env: process.env });
  });
  buildOnce("server", [...siteSources, "server", "operations", "backend/src", "supabase/functions"], () => {
    runTool(["vite", "bin", "vite.js"], ["build", "--logLevel", "warn"], join(root, "server"));
  });
}

/** Makes `<name>/build`. */
function buildOnce(name, sources, make) {
  const stamp = join(root, name, "build", ".setup-stamp");
  // The build contains the version of package.json.
  const files = [...sources.flatMap(filesBelow), join(root, "package.json"), join(root, "package-lock.json")];
  const wanted = hash(files, process.arch);
  if (read(stamp) === wanted) return;
  console.log(`Building the ${name}…`);
  make();
  writeFileSync(stamp, wanted);
}

function runTool(program, parameters, cwd) {
  const env = { ...process.env, NODE_ENV: "production" };
  run(join(bin, "node"), [join(root, "node_modules", ...program), ...parameters], { cwd, env });
}

function run(command, parameters, options) {
  const { status, error } = spawnSync(command, parameters, { stdio: ["ignore", "inherit", "inherit"], ...options });
  if (status !== 0) {
    console.error(error?.message ?? `${command} ${parameters[0]} failed`);
    process.exit(1);
  }
}

function hash(files, salt) {
  const sum = createHash("sha256").update(salt);
  for (const file of files) sum.update(file.slice(root.length)).update(readFileSync(file));
  return sum.digest("hex");
}

/** The file of this path, or all files below it but those that an installation or a build makes. */
function filesBelow(path) {
  const whole = join(root, path);
  if (!statSync(whole).isDirectory()) return [whole];
  return readdirSync(whole, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](?:node_modules|build)[\\/]/.test(file.slice(root.length)))
    .sort();
}

function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
