/** Backups of a database with its stored objects; only the tools that operate an installation load it. */
export { checkArchive } from "./archive-reader.ts";
export { type BackupOptions, makeBackup } from "./backup.ts";
export { type BackupBucket, openBackupBucket } from "./backup-bucket.ts";
export { BackupError } from "./error.ts";
export { holdBytes, releaseBytes } from "./hold-bytes.ts";
export { isRunning } from "./is-running.ts";
export type { Manifest } from "./manifest.ts";
export type { OnProgress, Step } from "./progress.ts";
export { tryRestored } from "./rehearse.ts";
export { restoreDatabase, type RestoreOptions } from "./restore.ts";
export { readSealedSecrets, restoreObjects } from "./restore-files.ts";
export { openUnfinished } from "./unfinished-directory.ts";
export { ByteStoreError } from "../storage/bytes/byte-store.ts";
export { openByteStore } from "../storage/backends.ts";
export { adoptStorage } from "../storage/database-id.ts";
