import { NEW_ID } from "./new-id.ts";

/** Values of form fields as text, by field name. */
export type FormValues = Readonly<Record<string, string>>;

/** Names one form of one area for one person, so that nobody finds another person's input after signing in. */
export interface FormKey {
  userId: string;
  area: string;
  form: string;
}

/** The row that an edit was opened with, as JSON. */
export const OPENED = "opened";

const PREFIX = "unsaved/";
/** Hidden fields of a form, which nobody typed. */
const HIDDEN: ReadonlySet<string> = new Set(["id", "version", "row", OPENED, NEW_ID]);

/** True if a text differs from the initial one. */
export function hasInput(values: FormValues, initial: FormValues = {}): boolean {
  return Object.entries(values).some(([name, text]) => !HIDDEN.has(name) && text !== (initial[name] ?? ""));
}

/** Returns the input of this form that was typed in this tab and not saved; null when there is none. */
export function readUnsaved(key: FormKey): FormValues | null {
  const json = sessionStorage.getItem(storageName(key));
  if (json === null) return null;
  const value: unknown = JSON.parse(json);
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** Stores the input of a form until it is saved; a full storage keeps the previous input. */
export function storeUnsaved(key: FormKey, values: FormValues): void {
  try {
    sessionStorage.setItem(storageName(key), JSON.stringify(values));
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error;
  }
}

/** Removes the stored input of a form. */
export function clearUnsaved(key: FormKey): void {
  sessionStorage.removeItem(storageName(key));
}

/** Returns the forms of an area in which this person has unsaved input in this tab. */
export function unsavedForms(userId: string, area: string): string[] {
  const prefix = storageName({ userId, area, form: "" });
  return Object.keys(sessionStorage).flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));
}

/** True if anybody has unsaved input in this tab. */
export function hasUnsaved(): boolean {
  return Object.keys(sessionStorage).some((name) => name.startsWith(PREFIX));
}

function storageName({ userId, area, form }: FormKey): string {
  return `${PREFIX}${userId}/${area}/${form}`;
}
