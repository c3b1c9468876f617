import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning } from "backend/backup.ts";

const NAME = /^larkfell-(\d+)-[A-Za-z0-9]{6}$/;

/** Calls `work` with a directory that is removed afterwards, or by the next call after this process was killed. */
export async function withTemporaryDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  await removeAbandoned();
  const directory = await mkdtemp(join(tmpdir(), `larkfell-${process.pid}-`));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}
