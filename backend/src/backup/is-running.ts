/** True if a process has this id. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: a process of another user.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
