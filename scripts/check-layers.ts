import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { LAYERS, type Layer } from "./layers.ts";

/** Imports, re-exports, dynamic imports, and worker files named by URL. */
const IMPORT =
  /^\s*(?:import|export)\b[^;'"`]*?\bfrom\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']|\bnew URL\(\s*["'](\.[^"']+\.tsx?)["'],\s*import\.meta\.url/gm;
const TEST = /\.test\.tsx?$|(^|[/-])fixture[^/]*\.tsx?$/;
const BEGIN = "<!-- layers: written by `node scripts/check-layers.ts --write` -->\n";
const END = "<!-- /layers -->";

/** Finds every violation of the layer rules in the source tree at `root`; each is one line. */
export function findViolations(root: string, layers: readonly Layer[]): string[] {
  const workspaces = readWorkspaces(root);
  const layerGraph = new Map(layers.map(({ name, imports }) => [name, imports]));
  const violations = cycles(layerGraph).map((names) => `layers import each other: ${names}`);
  if (violations.length > 0) return violations;
  const files = globSync("**/*.{ts,tsx,mts,mjs}", { cwd: root, exclude: ["**/{node_modules,build,.*}"] }).toSorted();
  const fileGraph = new Map<string, string[]>();
  for (const file of files) {
    const from = matchLayer(file, layers);
    if (!from) {
      violations.push(`${file}: its folder is missing from scripts/layers.ts`);
      continue;
    }
    const targets: string[] = [];
    for (const specifier of specifiersOf(readFileSync(join(root, file), "utf8"))) {
      const target = resolve(root, file, specifier, workspaces);
      if (target === undefined) {
        if (from.layer.packages === false && !specifier.startsWith(".") && !TEST.test(file))
          violations.push(`${file}: may not import packages (${specifier})`);
        continue;
      }
      const to = matchLayer(target, layers);
      if (!to) continue;
      targets.push(target);
      const problem = judge(file, from, target, to, layerGraph);
      if (problem !== null) violations.push(`${file}: ${problem} (${target})`);
    }
    fileGraph.set(file, targets);
  }
  return [...violations, ...cycles(fileGraph).map((names) => `files import each other: ${names}`)];
}

/** The table as Markdown. */
function layerTable(layers: readonly Layer[]): string {
  const rows = layers.map(({ name, paths, imports, packages }) => {
    const named = [...imports, ...(packages === false ? ["no packages"] : [])].join(", ");
    return `| ${name} | ${paths.map((path) => `\`${path}\``).join(" ")} | ${named === "" ? "nothing" : named} |`;
  });
  return ["| layer | files | may import |", "|---|---|---|", ...rows, ""].join("\n");
}

interface Match {
  layer: Layer;
  path: string;
}

/** The layer of a file, by the longest path that covers it. */
function matchLayer(file: string, layers: readonly Layer[]): Match | undefined {
  let found: Match | undefined;
  let longest = 0;
  for (const layer of layers) {
    for (const pattern of layer.paths) {
      const path = pathOf(file, pattern);
      if (path === undefined || pattern.length <= longest) continue;
      found = { layer, path };
      longest = pattern.length;
    }
  }
  return found;
}

/** The path of a pattern that covers a file: for `folder/+` the subfolder of the file, else the pattern. */
function pathOf(file: string, pattern: string): string | undefined {
  if (pattern.endsWith("/+")) {
    const folder = pattern.slice(0, -1);
    const end = file.startsWith(folder) ? file.indexOf("/", folder.length) : -1;
    return end === -1 ? undefined : file.slice(0, end);
  }
  const covers = pattern.endsWith("*") ? join(dirname(file), "*") === join(pattern) : pattern === file || file.startsWith(`${pattern}/`);
  return covers ? pattern : undefined;
}

function judge(file: string, from: Match, target: string, to: Match, graph: ReadonlyMap<string, readonly string[]>): string | null {
  const isTest = TEST.test(file) || from.layer.tests === true;
  if (TEST.test(target) && !isTest) return "may not import a test";
  if (from.layer === to.layer)
    return from.layer.separate && from.path !== to.path ? `paths of ${from.layer.name} may not import each other` : null;
  if (from.layer.imports.includes(to.layer.name)) return null;
  if (TEST.test(file) && (to.layer.tests || reaches(graph, to.layer.name, from.layer.name))) return null;
  return `${from.layer.name} may not import ${to.layer.name}`;
}

function reaches(graph: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  return (graph.get(from) ?? []).some((next) => next === to || reaches(graph, next, to));
}

function specifiersOf(source: string): string[] {
  return [...source.matchAll(IMPORT)].map((match) => match.slice(1).find((group) => group !== undefined) ?? "");
}

interface Workspace {
  folder: string;
  exports: Exports;
}

/** Files by subpath; a built file has its source as its types. */
type Exports = Record<string, string | { types: string }>;

function readWorkspaces(root: string): Map<string, Workspace> {
  const { workspaces }: { workspaces: string[] } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return new Map(
    workspaces.map((folder) => {
      const { name, exports = {} }: { name: string; exports?: Exports } = JSON.parse(
        readFileSync(join(root, folder, "package.json"), "utf8"),
      );
      return [name, { folder, exports }];
    }),
  );
}

/** The file that a specifier names, from the root; undefined for a package, a built-in module or a generated file. */
function resolve(root: string, file: string, specifier: string, workspaces: Map<string, Workspace>): string | undefined {
  let path: string;
  if (specifier.startsWith(".")) path = normalize(join(dirname(file), specifier));
  else {
    const [name = "", ...rest] = specifier.split("/");
    const workspace = workspaces.get(name);
    if (!workspace) return undefined;
    const subpath = [".", ...rest].join("/");
    const target = workspace.exports[subpath] ?? subpath;
    path = normalize(join(workspace.folder, typeof target === "string" ? target : target.types));
  }
  return /\.(?:ts|tsx|mts|mjs)$/.test(path) && existsSync(join(root, path)) ? path.replaceAll("\\", "/") : undefined;
}

/** Every group of nodes that reach each other, as "a → b → a" (Tarjan's strongly connected components). */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[] = [];
  const visit = (node: string): number => {
    order.set(node, order.size);
    let lowest = order.size - 1;
    low.set(node, lowest);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, order.get(next) ?? lowest);
    }
    low.set(node, lowest);
    if (lowest === order.get(node)) {
      const group = stack.splice(stack.indexOf(node));
      if (group.length > 1 || graph.get(node)?.includes(node)) found.push([...group, node].join(" → "));
    }
    return lowest;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
}

/** Compares the table between the markers of ARCHITECTURE.md with the layers, or writes it. */
function checkTable(root: string, write: boolean): string[] {
  const path = join(root, "ARCHITECTURE.md");
  const text = readFileSync(path, "utf8");
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) return ["ARCHITECTURE.md: the markers of the layer table are missing"];
  const expected = `${before}${BEGIN}\n${layerTable(LAYERS)}\n${END}${after}`;
  if (write) writeFileSync(path, expected);
  return write || text === expected ? [] : ["ARCHITECTURE.md: the layer table is out of date: run node scripts/check-layers.ts --write"];
}

if (import.meta.main) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const violations = [...findViolations(root, LAYERS), ...checkTable(root, process.argv.includes("--write"))];
  for (const line of violations) console.error(line);
  if (violations.length > 0) process.exitCode = 1;
}
