// Installs the packages once per lockfile and, with --build, builds the site once per source; npm runs it before start and test.
// With --production it installs no development dependencies. Install scripts never run. Plain JavaScript for any Node from 20:
// it runs before the project's own Node is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");

install();
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
  writeFileSync(stamp, production ? `${lock} production` : lock);
}

function build() {
  const site = join(root, "site");
  const stamp = join(site, "build", ".setup-stamp");
  const sources = [join(site, "app"), join(site, "public"), join(root, "content")].flatMap(filesBelow);
  const settings = ["vite.config.ts", "react-router.config.ts"].map((name) => join(site, name));
  const wanted = hash([...sources, ...settings, join(root, "package-lock.json")], process.arch);
  if (read(stamp) === wanted) return;
  console.log("Building the site…");
  run(join(bin, "node"), [join(root, "node_modules", "@react-router", "dev", "bin.cjs"), "build", "--logLevel", "warn"], {
    cwd: site,
    env: { ...process.env, NODE_ENV: "production" },
  });
  run(join(bin, "node"), [join(root, "scripts", "compress-assets.ts"), join(site, "build", "client")], { cwd: root, env: process.env });
  writeFileSync(stamp, wanted);
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

function filesBelow(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
