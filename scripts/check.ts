import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };

// Runs every script of package.json named check:… at once, prints the output of each when it ends, and fails if one fails.

const root = fileURLToPath(new URL("..", import.meta.url));

async function run([name, command]: [name: string, command: string]): Promise<void> {
  const started = performance.now();
  // npm puts the programs of the packages on the PATH.
  const child = spawn(command, { cwd: root, shell: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = await once(child, "close");
  console.log(`${code === 0 ? "✓" : "✗"} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (code === 0) return;
  console.log(output);
  process.exitCode = 1;
}

await Promise.all(
  Object.entries(packageJson.scripts)
    .filter(([name]) => name.startsWith("check:"))
    .map(run),
);
