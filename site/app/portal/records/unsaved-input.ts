import { hasInput, readUnsaved, unsavedForms, type FormKey, type FormValues } from "../forms/unsaved-form.ts";

/** The form of a new record. */
export const NEW = "new";

/** The open form: that of a new record, or another form of the page. */
export type OpenForm<Other> = { form: "new" } | Other;

/** Unsaved input of a closed form. */
export interface UnsavedInput<Open> {
  form: string;
  /** The name under which it is stored: that of the form, or that of its last save. */
  name: string;
  values: FormValues;
  /** The form as it was open; to be opened by its name if the input is from an earlier visit. */
  open: Open | null;
}

/** The name under which a closed form stores what its last save could not save. The id is new, so that it replaces no other input. */
export function lastSaveOf(form: string, id: string): string {
  return `${form}/${id}`;
}

/** True for a name of `lastSaveOf`. */
export function isLastSave(name: string): boolean {
  return name.includes("/");
}

/**
 * Returns the unsaved input of an area in this tab: first that of a last save, because the person did not mean to leave it unsaved; last
 * that of the form of a new record, because other input is newer.
 */
export function unsavedInput({ userId, area }: Omit<FormKey, "form">): UnsavedInput<never> | null {
  const names = unsavedForms(userId, area).filter((name) => name !== NEW);
  for (const name of [...names.filter(isLastSave), ...names, NEW]) {
    const values = readUnsaved({ userId, area, form: name });
    const [form = name] = name.split("/");
    if (values && hasInput(values)) return { form, name, values, open: null };
  }
  return null;
}
