/** What came of something the user asked for, in words for them; a refusal may name the field it is about. */
export type Outcome = Done | Refusal;

export interface Done {
  ok: true;
  message: string;
}

export interface Refusal {
  ok: false;
  message: string;
  field?: string;
  /** Where it can be put right. */
  next?: { to: string; label: string };
}

/** Input that was checked: the value to send, or the refusal to show. */
export type Checked<Value> = { ok: true; value: Value } | Refusal;

/** A list as it was read, or why it could not be. */
export type Loaded<Row> = { ok: true; rows: readonly Row[] } | { ok: false; message: string };

export function done(message: string): Done {
  return { ok: true, message };
}

export function refused(message: string, field?: string): Refusal {
  return field === undefined ? { ok: false, message } : { ok: false, message, field };
}
