type BackupFailure =
  | "damaged"
  | "not_empty"
  | "passphrase"
  | "newer"
  | "schema"
  | "in_use"
  | "exists"
  | "disk_full"
  | "bucket"
  | "files_missing"
  | "outdated";

/** A backup that cannot be made, read or restored; branch on `code`, the message is for the operator. */
export class BackupError extends Error {
  override readonly name = "BackupError";
  readonly code: BackupFailure;

  constructor(code: BackupFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
