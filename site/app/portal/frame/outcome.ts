/** What came of something the user asked for, in words for them; a refusal may name the field it is about. */
export type Outcome = Done | Refusal;

export interface Done {
  ok: true;
  message: string;
  /** What it leads to. */
  next?: PageLink;
  /** Takes it back. */
  undo?: () => Promise<Outcome>;
}

export interface Refusal {
  ok: false;
  message: string;
  field?: string;
  /** Where it can be put right. */
  next?: PageLink;
}

/** A link to a page of the portal. */
interface PageLink {
  to: string;
  label: string;
}

/** Input that was checked: the value to send, or the refusal to show. */
export type Checked<Value> = { ok: true; value: Value } | Refusal;

/** A list as it was read, or why it could not be. */
export type Loaded<Row> = { ok: true; rows: readonly Row[] } | { ok: false; message: string };

/** The row of this id, once the list is there; undefined where it is not in it. */
export async function rowOf<Row extends { id: string }>(loaded: Promise<Loaded<Row>>, id: string): Promise<Row | undefined> {
  const answer = await loaded;
  return answer.ok ? answer.rows.find((row) => row.id === id) : undefined;
}

export function done(message: string): Done {
  return { ok: true, message };
}

export function refused(message: string, field?: string): Refusal {
  return field === undefined ? { ok: false, message } : { ok: false, message, field };
}

/** The outcome of an action; where it broke, a refusal that says so. */
export async function outcomeOf(action: Promise<Outcome>, otherwise = "Something went wrong. Please try again."): Promise<Outcome> {
  try {
    return await action;
  } catch (error) {
    reportError(error);
    return refused(otherwise);
  }
}
