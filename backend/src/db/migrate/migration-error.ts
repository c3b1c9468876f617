import { DatabaseError } from "../database.ts";

/** A migration or seed that cannot be applied; the message names the file, and the line if Postgres reports one. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
  readonly file: string;
  /** 1-based, or null if the failure has no position in the file. */
  readonly line: number | null;
  /**
   * The SQLSTATE, or `migration_changed`, `migration_out_of_order`, `migration_repeated`, `migration_unknown` or
   * `migration_ends_transaction`.
   */
  readonly code: string;

  constructor(message: string, fields: { file: string; line?: number | null; code: string; cause?: unknown }) {
    const { file, line = null, code, cause } = fields;
    super(`${file}${line === null ? "" : `:${line}`}: ${message} (${code})`, { cause });
    this.file = file;
    this.line = line;
    this.code = code;
  }
}

/** Adds the file and line to the error of a script; returns the error unchanged if the server cannot be reached. */
export function locateFailure(error: unknown, file: string, text: string): unknown {
  if (!(error instanceof DatabaseError) || error.isOutage) return error;
  const { message, code, position } = error;
  return new MigrationError(message, { file, line: position === null ? null : lineAt(text, position), code, cause: error });
}

// Postgres counts characters, JavaScript UTF-16 units.
function lineAt(text: string, position: number): number {
  let line = 1;
  let offset = 1;
  for (const character of text) {
    if (offset >= position) break;
    if (character === "\n") line += 1;
    offset += 1;
  }
  return line;
}
