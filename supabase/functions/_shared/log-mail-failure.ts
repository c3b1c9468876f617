/** Logs that a mail failed, with the code of the error only: its text and fields contain addresses. */
export function logMailFailure(message: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- A function has no other log.
  console.warn(message, codeOf(error));
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("responseCode" in error && typeof error.responseCode === "number") return String(error.responseCode);
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
