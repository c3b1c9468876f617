import type { Tally } from "./generator.ts";

const MAX_LISTED = 30;

/** Prints the responses by endpoint and status. */
export function printCounts({ counts }: Tally): void {
  console.log("\n  responses by endpoint and status");
  for (const [endpoint, byStatus] of Object.entries(counts).toSorted(([one], [other]) => one.localeCompare(other))) {
    const total = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
    const texts = Object.entries(byStatus).map(([status, count]) => `${status}: ${count}`);
    console.log(`  ${endpoint.padEnd(34)} ${String(total).padStart(7)}   ${texts.join("  ")}`);
  }
}

/** Prints one unexpected answer of each kind, with the command that repeats its request. */
export function printProblems({ problems }: Tally, seed: number): void {
  const kinds = Map.groupBy(problems, ({ endpoint, problem, text }) => `${endpoint}: ${problem} ${codeOf(text)}`);
  console.log(`\n  unexpected answers: ${problems.length}`);
  for (const [kind, [first, ...others]] of [...kinds].slice(0, MAX_LISTED)) {
    console.log(
      `  ${others.length + 1} × ${kind}; repeat with: npm run torture -- hostile-requests --seed ${seed} --request ${first?.number}`,
    );
  }
}

/** Prints the messages that the server logged as errors. */
export function printLog(output: string): void {
  const messages = output.split("\n").flatMap((line) => {
    const [, message] = /"msg":"((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
    const [, cause] = /"err":\{"type":"[^"]*","message":"((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
    return message === undefined ? [] : [`${message}${cause === undefined ? "" : `: ${cause.slice(0, 200)}`}`];
  });
  const kinds = Object.entries(Object.groupBy(messages, (message) => message)).toSorted(([, a = []], [, b = []]) => b.length - a.length);
  console.log(`\n  lines in the server's log: ${messages.length}`);
  for (const [message, lines = []] of kinds.slice(0, MAX_LISTED)) console.log(`  ${lines.length} × ${message}`);
}

function codeOf(text: string): string {
  return /"(?:code|error_code|error)":"([^"]*)"/.exec(text)?.[1] ?? "";
}
