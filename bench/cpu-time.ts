import { readdirSync, readFileSync } from "node:fs";

/** User and system time that all threads of a process have used, in seconds; read from Linux's scheduler, in nanoseconds. */
export function cpuTime(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce((sum, task) => sum + Number(readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ")[0]) / 1e9, 0);
}
