/** What was typed into a form, by the name of the field. */
export type Draft = Readonly<Record<string, string>>;

/** Names a draft: whose it is, and of which form of which area, so that nobody finds another person's words after signing in. */
export interface DraftKey {
  userId: string;
  area: string;
  form: string;
}

const PREFIX = "draft/";

/** What this person typed into this form in this tab and did not send; null when there is nothing. */
export function readDraft(store: Storage, key: DraftKey): Draft | null {
  return parse(store.getItem(nameOf(key)));
}

/** Keeps what was typed until it is sent. A store that is full keeps what it had. */
export function keepDraft(store: Storage, key: DraftKey, draft: Draft): void {
  try {
    store.setItem(nameOf(key), JSON.stringify(draft));
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error;
  }
}

/** Forgets a draft that was sent or thrown away. */
export function forgetDraft(store: Storage, key: DraftKey): void {
  store.removeItem(nameOf(key));
}

/** The forms of an area in which this person left a draft in this tab. */
export function draftForms(store: Storage, userId: string, area: string): string[] {
  const prefix = nameOf({ userId, area, form: "" });
  return Object.keys(store).flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));
}

/** Whether anybody left a draft in this tab. */
export function anyDraft(store: Storage): boolean {
  return Object.keys(store).some((name) => name.startsWith(PREFIX));
}

function nameOf({ userId, area, form }: DraftKey): string {
  return `${PREFIX}${userId}/${area}/${form}`;
}

function parse(json: string | null): Draft | null {
  if (json === null) return null;
  const value: unknown = JSON.parse(json);
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
