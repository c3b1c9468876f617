/** One thing that `doctor` looked at. */
export interface Finding {
  /** `warn`: it works, but a person should look at it; `fail`: it has to be repaired. */
  state: "pass" | "warn" | "fail";
  text: string;
}

export function pass(text: string): Finding {
  return { state: "pass", text };
}

export function warn(text: string): Finding {
  return { state: "warn", text };
}

export function fail(text: string): Finding {
  return { state: "fail", text };
}

/** The code of an error for people, such as `ECONNREFUSED`; `fetch` has it in the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
