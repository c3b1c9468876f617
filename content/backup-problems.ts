const PROBLEMS: Readonly<Record<string, string>> = {
  bucket: "the bucket of the backups cannot be used",
  crashed: "the program that makes it ended without a result",
  database: "the database could not be read or restored",
  damaged: "the backup is damaged",
  disk_full: "a disk is full",
  files_missing: "uploaded files are missing from the storage",
  folder: "the folder of the backups cannot be used",
  outdated: "the backup has old data: the row that was written before it is missing",
  passphrase: "BACKUP_PASSPHRASE is missing or wrong",
  storage: "the storage of uploaded files cannot be reached",
  timed_out: "it took too long",
};

/** Returns the reason why a backup failed, in words, by the slug of the check. */
export function backupProblem(slug: string): string {
  return PROBLEMS[slug] ?? `of an unexpected problem (${slug})`;
}
