import { parseExact } from "./exact-json.ts";
import type { Relation } from "./relations.ts";
import type { OutboxRow } from "./outbox.ts";

const MAX_BYTES = 1024 * 1024;
const MAX_VALUE_BYTES = 64;

/** A change of a row of a table. */
export interface Change {
  relation: number;
  operation: "INSERT" | "UPDATE" | "DELETE";
  recordedAt: Date;
  /** The row whose visibility decides, as JSON text: the deleted one, or the new one. */
  row: string;
  record: string | null;
  oldRecord: string | null;
}

/** The change of an outbox row; undefined if it is a message. */
export function changeOf({ relation, operation, recordedAt, record, oldRecord }: OutboxRow): Change | undefined {
  const row = record ?? oldRecord;
  if (relation === null || operation === null || row === null) return undefined;
  return { relation, operation, recordedAt, row, record, oldRecord };
}

/** Errors in the place of a row. */
const NO_KEY = "Error 400: Bad Request, no primary key";
const NO_RIGHTS = "Error 401: Unauthorized";
const TOO_LARGE = "Error 413: Payload Too Large";
export const POLICY_FAILED = "Error 500: Internal Server Error, RLS policy evaluation failed";

/** The error that hides the rows of a table from a role, or null. */
export function tableError({ operation }: Change, { columns }: Relation): string | null {
  if (operation === "DELETE") return null;
  const keys = columns.filter(({ isKey }) => isKey);
  if (keys.length === 0) return NO_KEY;
  return keys.every(({ isSelectable }) => isSelectable) ? null : NO_RIGHTS;
}

/** The `data` of a change without its rows. */
export function errorData(change: Change, { schema, table }: Relation, error: string): object {
  return { schema, table, type: change.operation, commit_timestamp: change.recordedAt.toISOString(), columns: [], errors: [error] };
}

/**
 * The `data` of a change: columns that the role may read and that are in `select` or in the key. An old row that policies may hide is sent
 * as its key; `wasSeen` is true if they permitted to read it.
 */
export function changeData(change: Change, relation: Relation, select: readonly string[] | null, wasSeen: boolean): object {
  const { operation, record, oldRecord, recordedAt } = change;
  const columns = relation.columns.filter(
    ({ name, isKey, isSelectable }) => isSelectable && (select === null || isKey || select.includes(name)),
  );
  const isTooLarge = Buffer.byteLength(record ?? "") + Buffer.byteLength(oldRecord ?? "") > MAX_BYTES;
  const rowOf = (text: string, names: readonly { name: string }[]): object => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row is an object
    const row = parseExact(text) as Record<string, unknown>;
    const entries = names.map(({ name }): [string, unknown] => [name, row[name]]);
    return Object.fromEntries(isTooLarge ? entries.filter(([, value]) => isShort(value)) : entries);
  };
  const isOldShown = !relation.isSecured || (operation === "UPDATE" && wasSeen);
  const old = columns.filter(({ isKey, isIdentity }) => isIdentity && (isKey || isOldShown));
  return {
    schema: relation.schema,
    table: relation.table,
    type: operation,
    commit_timestamp: recordedAt.toISOString(),
    columns: columns.map(({ name, type }) => ({ name, type })),
    ...(record === null ? {} : { record: rowOf(record, columns) }),
    ...(oldRecord === null ? {} : { old_record: rowOf(oldRecord, old) }),
    errors: isTooLarge ? [TOO_LARGE] : null,
  };
}

function isShort(value: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(value) ?? "") <= MAX_VALUE_BYTES;
}
