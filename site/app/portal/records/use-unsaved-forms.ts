import { useState } from "react";
import { clearUnsaved, hasInput, readUnsaved, storeUnsaved, unsavedForms, type FormKey, type FormValues } from "../forms/unsaved-form.ts";
import { useUser } from "../frame/use-user.ts";
import { isLastSave, NEW, unsavedInput, type OpenForm, type UnsavedInput } from "./unsaved-input.ts";
import { useLeftPage } from "./use-left-page.ts";

interface UnsavedFormsOptions<Other> {
  area: string;
  open: OpenForm<Other> | null;
  /** True if the URL requests a form. */
  isRequested: boolean;
  inWords: (values: FormValues, form: string) => string;
  savesItself: (open: OpenForm<Other>) => boolean;
}

/** Input that can be continued. */
export interface UnsavedLine {
  what: string;
  discarded: boolean;
  resume: () => void;
  discard: () => void;
}

type Input<Other> = UnsavedInput<OpenForm<Other>>;

/** Manages the stored input of the forms of a page: which is discarded, which is offered (decision 033). */
export function useUnsavedForms<Other extends { form: string }>(options: UnsavedFormsOptions<Other>) {
  const { area, open, isRequested, inWords, savesItself } = options;
  const { userId = "" } = useUser() ?? {};
  const keyOf = (form: string): FormKey => ({ userId, area, form });
  /** The input that is offered first. */
  const first = (): UnsavedInput<never> | null => unsavedInput({ userId, area });
  const [discarded, setDiscarded] = useState<Input<Other> | null>(null);
  const [offered, setOffered] = useState(() => (isRequested ? null : first()));
  const { isLeft, mention } = useLeftPage(offer);

  /** The stored input of a form, unless the open form saves itself. */
  function typedIn(form: string): Input<Other> | null {
    const values = open && savesItself(open) ? null : readUnsaved(keyOf(form));
    return values && hasInput(values) ? { form, name: form, values, open: open?.form === form ? open : null } : null;
  }

  /** Prepares the stored input for the next open form, or for none. Replaced input can be restored by Undo. */
  function replace(next: OpenForm<Other> | null, continued: Input<Other> | null): void {
    const cleared = next === null ? open?.form : replacedBy(next);
    const isContinued = continued !== discarded && continued?.name === cleared;
    setDiscarded(cleared === undefined || isContinued ? null : typedIn(cleared));
    if (cleared !== undefined) clearUnsaved(keyOf(cleared));
    clearSavedItself();
    if (continued) {
      clearUnsaved(keyOf(continued.name));
      storeUnsaved(keyOf(continued.form), continued.values);
    }
    offer();
  }

  /** The form whose stored input another form replaces. Input of the form of a new record stays, and other input while that form is open. */
  function replacedBy(next: OpenForm<Other>): string | undefined {
    // A new record that saves itself stores its input as that of a record.
    if (next.form === NEW && !savesItself(next)) return undefined;
    return formOfRecord();
  }

  /** The form of a record with stored input; undefined if there is none. */
  function formOfRecord(): string | undefined {
    return unsavedForms(userId, area).find((name) => name !== NEW && !isLastSave(name));
  }

  /** Clears the input of an open form that saves itself: its last save stores what it cannot save. */
  function clearSavedItself(): void {
    if (!open || !savesItself(open)) return;
    for (const form of [open.form, formOfRecord()]) if (form !== undefined) clearUnsaved(keyOf(form));
  }

  /** Offers stored input; after this page was left, other pages offer that of a last save. */
  function offer(): void {
    const input = first();
    setOffered(input);
    if (isLeft.current) mention(input && isLastSave(input.name) ? inWords(input.values, input.form) : null);
  }

  /** Shows a notice about refused input on other pages after this page was left. */
  function offerRefused(): void {
    const input = isLeft.current ? first() : null;
    if (input) mention(inWords(input.values, input.form));
  }

  function discard(input: Input<Other>): void {
    clearUnsaved(keyOf(input.name));
    setDiscarded(input);
    offer();
  }

  const isOffered = !open || (offered && isLastSave(offered.name)) || (open.form === NEW && offered?.form !== NEW);
  const lines = [discarded, isOffered ? offered : null].flatMap((input) =>
    input ? { input, what: inWords(input.values, input.form), discarded: input === discarded, discard: () => discard(input) } : [],
  );
  return { keyOf, typedIn, first, replace, offer, offerRefused, lines };
}
