import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SentStatement } from "../read-dates.ts";

const run = promisify(execFile);

/** True if `pgbench` is installed. */
export const hasPgbench = await run("pgbench", ["--version"]).then(
  () => true,
  () => false,
);

/**
 * Transactions per second of `pgbench`, which sends the statements as our driver does: prepared, and in one read-only transaction
 * without waiting for each result.
 */
export async function pgbench(
  url: string,
  statements: readonly SentStatement[],
  options: { directory: string; connections: number; seconds: number },
): Promise<number> {
  const { directory, connections, seconds } = options;
  const values = statements.flatMap((statement) => statement.values);
  let next = 0;
  const lines = statements.map(({ text, values: given }) => {
    const first = next;
    next += given.length;
    return `${text.replaceAll(/\s*\n\s*/g, " ").replaceAll(/\$(\d+)/g, (_, number: string) => `:v${first + Number(number)}`)};`;
  });
  const script = join(directory, "read.sql");
  await writeFile(script, ["\\startpipeline", "begin read only;", ...lines, "commit;", "\\endpipeline", ""].join("\n"));
  const variables = values.map((value, index) => `--define=v${index + 1}=${value ?? ""}`);
  const { stdout } = await run("pgbench", [
    "--no-vacuum",
    "--protocol=prepared",
    `--client=${connections}`,
    `--time=${seconds}`,
    `--file=${script}`,
    ...variables,
    url,
  ]);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}
