import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { drive, type Load } from "../load.ts";

const run = promisify(execFile);

/** True if `wrk` is installed. */
export const hasWrk = await run("wrk", ["-v"]).then(
  () => true,
  // It prints its version and exits with status 1.
  (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
);

/** The most requests per second that a server answers: by `wrk` where it is installed, else by our own generator. */
export async function saturate(url: string, headers: Record<string, string> = {}, seconds = 3): Promise<Pick<Load, "perSecond" | "p99">> {
  if (!hasWrk) return drive({ url, headers, seconds });
  const fields = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const { stdout } = await run("wrk", ["-t1", "-c16", `-d${seconds}s`, "--latency", ...fields, url]);
  const [, p99 = "", unit = ""] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  const milliseconds: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };
  return { perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]), p99: Number(p99) * (milliseconds[unit] ?? Number.NaN) };
}
