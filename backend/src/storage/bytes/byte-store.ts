/**
 * Bytes by key. The caller makes a new key for each write (`newKey`) and never takes one from a user, so that nothing is
 * ever overwritten and a name can be no path.
 */
export interface ByteStore {
  /**
   * Keeps all of `source` under a key. Until it is complete and durable nothing can be read there; where `source` fails
   * nothing stays, and its failure is thrown. Fails with a `ByteStoreError`.
   */
  write(key: string, source: ByteSource): Promise<Written>;
  /** Gives the bytes, or those of a range, a small amount of them at once; null where the key has none. */
  read(key: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null>;
  /** Gives a second key to the same bytes; false where the first has none. */
  copy(from: string, to: string): Promise<boolean>;
  /** Removes what is kept under these keys; those that have nothing are no error. */
  remove(keys: readonly string[]): Promise<void>;
  stat(key: string): Promise<{ size: number; modifiedAt: Date } | null>;
  /** Names every key written before a moment, for a sweep to compare with what is known. */
  keysBefore(moment: Date): AsyncIterable<string>;
  /** Removes what writes begun before a moment have left unfinished. */
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

/** Both ends are inside: the first hundred bytes are 0 to 99. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface Written {
  size: number;
  /** SHA-256 of the bytes in hex. */
  sha256: string;
}

export type ByteStoreFailure = "full" | "unavailable";

/** Bytes that cannot be kept or reached; branch on `code`. */
export class ByteStoreError extends Error {
  override readonly name = "ByteStoreError";
  readonly code: ByteStoreFailure;

  constructor(code: ByteStoreFailure, cause: unknown) {
    super(code === "full" ? "There is no space left for the bytes." : "The bytes cannot be reached.", { cause });
    this.code = code;
  }
}

const KEY = /^[0-9a-z][0-9a-z._-]{7,127}$/;

/** Makes a key nobody has. */
export function newKey(): string {
  return crypto.randomUUID();
}

/** Gives a key back when it is one; a driver's last guard before a path. */
export function checkedKey(key: string): string {
  if (!KEY.test(key)) throw new TypeError("This is no key of a byte store.");
  return key;
}

const TRASH_NAME = /^(?<day>\d{4}-\d{2}-\d{2})\/(?<key>[^/]+)$/;

/** Reads `2026-11-22/<key>`; undefined for other names. */
export function parseTrashName(name: string): TrashedKey | undefined {
  const { day, key } = TRASH_NAME.exec(name)?.groups ?? {};
  return day === undefined || key === undefined || !KEY.test(key) ? undefined : { day, key };
}

/** Today's name of a key in the trash. */
export function trashName(key: string): string {
  return `${new Date().toISOString().slice(0, 10)}/${checkedKey(key)}`;
}

/** Up to this many bytes are read at once instead of as a stream. */
export const READ_AT_ONCE = 512 * 1024;
