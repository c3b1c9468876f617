type UpgradeFailure = "upgrade_newer" | "upgrade_no_space" | "upgrade_no_copy" | "upgrade_failed";

/** An upgrade that was refused or undone; the message says in one line which version to run. */
export class UpgradeError extends Error {
  override readonly name = "UpgradeError";
  readonly code: UpgradeFailure;

  constructor(code: UpgradeFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
