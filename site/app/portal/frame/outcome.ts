/** The result of an action with a message for people; a refusal may name the field with the error. */
export type Outcome = Done | Refusal;

export interface Done {
  ok: true;
  message: string;
  /** The id of the record that was added or saved. */
  record?: string;
  /** The columns that the action stored, by record: for an open edit of it, they are no changes by somebody else. */
  stored?: readonly { id: string; updated_at: string }[];
  /** A page to continue on. */
  next?: PageLink;
  /** Undoes the action. */
  undo?: () => Promise<Outcome>;
}

export interface Refusal {
  ok: false;
  message: string;
  field?: string;
  /** The error of each wrong field by its name, if there are several. */
  errors?: Readonly<Record<string, string>>;
  /** A page on which the cause can be removed. */
  next?: PageLink;
  /** The label of the button that answers the message, a question, and submits the form again. */
  confirm?: string;
  /** True if the page shows outdated data, which is then loaded again. */
  stale?: boolean;
}

/** A link to a page of the portal. */
interface PageLink {
  to: string;
  label: string;
}

/** The result of a validation: the value to send, or the refusal to show. */
export type Checked<Value> = { ok: true; value: Value } | Refusal;

/** The rows of a list, outdated if they could not be loaded again, or the error message. */
export type Loaded<Row> = { ok: true; rows: readonly Row[]; isOutdated?: true } | { ok: false; message: string };

/** Waits for a list and returns its row with this id; undefined if there is none. */
export async function rowOf<Row extends { id: string }>(loaded: Promise<Loaded<Row>>, id: string): Promise<Row | undefined> {
  const result = await loaded;
  return result.ok ? result.rows.find((row) => row.id === id) : undefined;
}

export function done(message: string): Done {
  return { ok: true, message };
}

export function refused(message: string, field?: string): Refusal {
  return field === undefined ? { ok: false, message } : { ok: false, message, field };
}

/** Returns the outcome of an action; a refusal if it throws. */
export async function outcomeOf(action: Promise<Outcome>, otherwise = "Something went wrong. Please try again."): Promise<Outcome> {
  try {
    return await action;
  } catch (error) {
    reportError(error);
    return refused(otherwise);
  }
}
