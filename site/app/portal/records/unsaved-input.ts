import { hasInput, readUnsaved, unsavedForms, type FormKey, type FormValues } from "../forms/unsaved-form.ts";

/** The form of a new record. */
export const NEW = "new";

/** Unsaved input of a closed form. */
export interface UnsavedInput<Open> {
  form: string;
  values: FormValues;
  /** The form as it was open; to be opened by its name if the input is from an earlier visit. */
  open: Open | null;
  discarded: boolean;
}

/** Returns the input of an area that was not saved in this tab; that of the form of a new record last, because other input is newer. */
export function unsavedInput({ userId, area }: Omit<FormKey, "form">): UnsavedInput<never> | null {
  const forms = [...unsavedForms(userId, area).filter((form) => form !== NEW), NEW];
  for (const form of forms) {
    const values = readUnsaved({ userId, area, form });
    if (values && hasInput(values)) return { form, values, open: null, discarded: false };
  }
  return null;
}
