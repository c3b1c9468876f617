import { useState } from "react";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Message } from "../../ui/message.tsx";
import { choiceInWords, placesOpen } from "../bookable-dates/places.ts";
import type { BookableDate } from "../bookable-dates/bookable-date.ts";
import type { FormKey } from "../forms/unsaved-form.ts";
import { textOf } from "../forms/form-text.ts";
import type { Done, Loaded, Outcome } from "../frame/outcome.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { usePromise } from "../frame/use-promise.ts";
import type { Instead } from "../records/undo.ts";
import { recordInWords, valueInWords, type Change } from "./schema.ts";

interface RestoreFormProps {
  change: Change;
  /** Which of its values stands in the way. */
  field: keyof Instead;
  listDates: () => Promise<Loaded<BookableDate>>;
  formKey: FormKey;
  submit: (instead: Instead) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

/** Restores a booking on another date, or a post at another address, where its own is gone or taken. */
export function RestoreForm({ change, field, listDates, formKey, submit, onDone }: RestoreFormProps) {
  const [asked] = useState(listDates);
  const dates = usePromise(asked);
  return (
    <PortalForm
      name={`Restore ${recordInWords(change)}`}
      label="Restore"
      busyLabel="Restoring..."
      formKey={formKey}
      about={change.id}
      begin={{ address: `${valueInWords("slug", change.before?.["slug"], change.dates)}-2` }}
      takesFocus
      submit={(form) => submit({ [field]: textOf(form, field) })}
      onDone={onDone}
    >
      {({ field: state }) =>
        field === "address" ? (
          <TextField
            {...state("address")}
            label="Address"
            hint="What follows /blog/: letters from a to z, digits and hyphens."
            required
            pattern="[a-z0-9]+(-[a-z0-9]+)*"
            maxLength={220}
          />
        ) : (
          <>
            {dates && !dates.ok && (
              <Message tone="error">
                <p>{dates.message}</p>
              </Message>
            )}
            <SelectField {...state("onto")} label={`Another date for ${recordInWords(change)}`} required>
              <option value="">Choose a date…</option>
              {dates?.ok &&
                dates.rows.map((date) => (
                  <option key={date.id} value={date.id} disabled={placesOpen(date) === 0}>
                    {choiceInWords(date)}
                  </option>
                ))}
            </SelectField>
          </>
        )
      }
    </PortalForm>
  );
}
