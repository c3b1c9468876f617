/**
 * Bytes by key. The caller makes a new random key for each write (`newKey`), so that nothing is overwritten and no name of a
 * user becomes a path.
 */
export interface ByteStore {
  /**
   * Stores `source` under a key; it can be read only when it is complete and durable. If `source` fails, nothing is stored and
   * its error is thrown. Fails with a `ByteStoreError`.
   */
  write(key: string, source: ByteSource): Promise<Written>;
  /** Reads the bytes or a range of them, small amounts in one piece; null for an unknown key. */
  read(key: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null>;
  /** Copies bytes to a second key; false for an unknown key. */
  copy(from: string, to: string): Promise<boolean>;
  /** Makes the bytes a new file at a path of this machine, without a copy where the file system can; false for an unknown key. */
  copyToFile(key: string, path: string): Promise<boolean>;
  /** Deletes the bytes of these keys; unknown keys are ignored. */
  remove(keys: readonly string[]): Promise<void>;
  stat(key: string): Promise<{ size: number; modifiedAt: Date } | null>;
  /** Lists the keys written before a moment; files with other names are ignored. */
  keysBefore(moment: Date): AsyncIterable<string>;
  /** Deletes the remains of writes that began before a moment. */
  removeUnfinished(moment: Date): Promise<void>;
  /** The id of the database whose rows refer to these bytes; null if there is none yet. */
  readDatabaseId(): Promise<string | null>;
  writeDatabaseId(id: string): Promise<void>;
  /** Moves bytes to today's trash folder; keys without bytes are ignored. */
  trash(keys: readonly string[]): Promise<void>;
  listTrash(): AsyncIterable<TrashedKey>;
  /** Moves bytes from the trash back to their key. */
  restore(item: TrashedKey): Promise<void>;
  deleteTrashed(items: readonly TrashedKey[]): Promise<void>;
  close(): Promise<void>;
}

export interface TrashedKey {
  key: string;
  /** The UTC day of the move, as `2026-11-22`. */
  day: string;
}

export type ByteSource = AsyncIterable<Uint8Array>;

/** Both ends are included: the first hundred bytes are 0 to 99. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface Written {
  size: number;
  /** SHA-256 of the bytes in hex. */
  sha256: string;
}

type ByteStoreFailure = "full" | "unavailable";

/** Bytes cannot be stored or read; branch on `code`. */
export class ByteStoreError extends Error {
  override readonly name = "ByteStoreError";
  readonly code: ByteStoreFailure;

  constructor(code: ByteStoreFailure, cause: unknown) {
    super(code === "full" ? "There is no space left for the bytes." : "The bytes cannot be reached.", { cause });
    this.code = code;
  }
}

const KEY = /^[0-9a-z][0-9a-z._-]{7,127}$/;

/** Makes a new random key. */
export function newKey(): string {
  return crypto.randomUUID();
}

/** True for a key that `newKey` may have made. */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

/** Returns a valid key and throws for any other text, before a driver builds a path from it. */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new TypeError("This is no key of a byte store.");
  return key;
}

const TRASH_NAME = /^(?<day>\d{4}-\d{2}-\d{2})\/(?<key>[^/]+)$/;

/** Reads `2026-11-22/<key>`; undefined for other names. */
export function parseTrashName(name: string): TrashedKey | undefined {
  const { day, key } = TRASH_NAME.exec(name)?.groups ?? {};
  return day === undefined || key === undefined || !isKey(key) ? undefined : { day, key };
}

/** Today's name of a key in the trash. */
export function trashName(key: string): string {
  return `${new Date().toISOString().slice(0, 10)}/${checkedKey(key)}`;
}

/** Up to this number of bytes are read in one piece instead of as a stream. */
export const READ_AT_ONCE = 512 * 1024;
