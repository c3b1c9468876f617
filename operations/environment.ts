import { backendEnvironment, readEnvironment } from "server/environment/environment.ts";

/** The passphrase of the secrets in backups, if there is one. */
export function readPassphrase(): string | undefined {
  return readEnvironment(backendEnvironment, process.env).BACKUP_PASSPHRASE;
}

/** The folder of the nightly backups, if there is one; it may be an address `s3://bucket/folder`. */
export function readBackupFolder(): string | undefined {
  return readEnvironment(backendEnvironment, process.env).BACKUP_DIR?.replace(/\/+$/, "");
}
