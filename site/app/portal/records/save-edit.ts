import { done, refused, type Outcome, type Refusal } from "../frame/outcome.ts";

/** A row as an edit began with it, and as it was last seen; the two differ once somebody else has changed it meanwhile. */
export interface Editing<Row> {
  readonly opened: Row;
  seen: Row;
}

/** What a refusal of the service carries. */
export interface ServiceError {
  code: string;
  message: string;
  details: string | null;
}

interface Answer<Row> {
  data: Row[] | null;
  error: ServiceError | null;
}

interface EditedTable<Row, Values> {
  /** What the row is called: "booking". */
  what: string;
  /** What its fields are called, in the order they are listed. */
  labels: { readonly [Field in keyof Values]: string };
  /** How a field's value reads; as it is unless told. */
  show?: (field: keyof Values, row: Row) => string;
  /** Writes the changes where the row is still as it was last seen, and answers with the rows written. */
  write: (changes: Partial<Values>, seen: Row) => PromiseLike<Answer<Row>>;
  read: (id: string) => PromiseLike<Answer<Row>>;
  saved: string;
  failed: (error: ServiceError) => Refusal;
}

/** Begins an edit of a row. */
export function editing<Row>(row: Row): Editing<Row> {
  return { opened: row, seen: row };
}

/**
 * Saves what was changed since the edit began, and only that. Where somebody else was faster it writes nothing, says what they changed,
 * and remembers the row as they left it: saving again then keeps their changes except where the same field was changed here.
 */
export async function saveEdit<Values extends object, Row extends Values & { id: string; updated_at: string }>(
  edit: Editing<Row>,
  values: Values,
  table: EditedTable<Row, Values>,
): Promise<Outcome> {
  const changes: Partial<Values> = { ...values };
  for (const field in values) if (same(values[field], edit.opened[field])) delete changes[field];
  if (Object.keys(changes).length === 0) return done("Nothing was changed.");

  const written = await table.write(changes, edit.seen);
  if (written.error) return table.failed(written.error);
  if (written.data?.length === 1) return done(table.saved);

  const read = await table.read(edit.seen.id);
  if (read.error) return table.failed(read.error);
  const current = read.data?.[0];
  if (!current) return refused(`Somebody else deleted this ${table.what} meanwhile. What you typed is still here.`);
  // The same row and still not written: a policy keeps it.
  if (current.updated_at === edit.seen.updated_at) return refused(`This account may not change this ${table.what}.`);
  const message = changedMeanwhile(edit.seen, current, changes, table);
  edit.seen = current;
  return refused(message);
}

function changedMeanwhile<Values extends object, Row extends Values>(
  seen: Row,
  current: Row,
  changes: Partial<Values>,
  { what, labels, show = (field, row) => shown(row[field]) }: EditedTable<Row, Values>,
): string {
  const theirs: string[] = [];
  const both: string[] = [];
  for (const field in labels) {
    if (same(seen[field], current[field])) continue;
    theirs.push(`${labels[field]}: ${show(field, seen)}, now ${show(field, current)}`);
    if (field in changes) both.push(labels[field]);
  }
  const list = theirs.length === 0 ? "Nothing you see here differs." : `${theirs.join("; ")}.`;
  const advice =
    both.length === 0
      ? "Save again to add yours to it."
      : `Save again to put yours in place of theirs (${both.join(", ")}), or cancel to keep theirs.`;
  return `Somebody else changed this ${what} while you were editing it. ${list} Nothing was overwritten. ${advice}`;
}

function same(one: unknown, other: unknown): boolean {
  return one === other;
}

function shown(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : "empty";
}
