type UpgradeFailure = "upgrade_newer" | "upgrade_no_space" | "upgrade_no_copy" | "upgrade_failed";

/** A database that this version of the program did not change, or not any more; the message says in one line what to run. */
export class UpgradeError extends Error {
  override readonly name = "UpgradeError";
  readonly code: UpgradeFailure;

  constructor(code: UpgradeFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
