import { useState } from "react";
import { TextField } from "../../ui/field.tsx";
import { DateOptions } from "../bookable-dates/date-options.tsx";
import type { BookableDate } from "../bookable-dates/bookable-date.ts";
import type { FormKey } from "../forms/unsaved-form.ts";
import { textOf } from "../forms/form-text.ts";
import type { Done, Loaded, Outcome } from "../frame/outcome.ts";
import { LateSelectField } from "../forms/late-select-field.tsx";
import { PortalForm } from "../forms/portal-form.tsx";
import { LoadStatus } from "../frame/load-status.tsx";
import { useLoaded } from "../frame/use-loaded.ts";
import type { Instead } from "../records/undo.ts";
import { recordInWords, valueInWords, type Change } from "../history/change.ts";

interface RestoreFormProps {
  change: Change;
  /** The value that must be replaced. */
  field: keyof Instead;
  listDates: () => Promise<Loaded<BookableDate>>;
  formKey: FormKey;
  submit: (instead: Instead) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

/** Asks for another course date of a deleted booking, or another address of a deleted post, whose own is taken. */
export function RestoreForm({ change, field, listDates, formKey, submit, onDone }: RestoreFormProps) {
  const [loading, setLoading] = useState(listDates);
  const dates = useLoaded(loading);
  return (
    <PortalForm
      name={`Restore ${recordInWords(change)}`}
      label="Restore"
      busyLabel="Restoring..."
      formKey={formKey}
      about={change.id}
      begin={{ address: `${valueInWords("slug", change.before?.["slug"], change.names)}-2` }}
      takesFocus
      submit={(form) => submit({ [field]: textOf(form, field) })}
      onDone={onDone}
    >
      {({ field: state }) =>
        field === "address" ? (
          <TextField
            {...state("address")}
            label="Address"
            hint="The part after /blog/: letters from a to z, digits and hyphens."
            required
            pattern="[a-z0-9]+(-[a-z0-9]+)*"
            maxLength={220}
          />
        ) : (
          <>
            {dates && <LoadStatus result={dates} retry={() => setLoading(listDates())} />}
            <LateSelectField {...state("onto")} label={`Another date for ${recordInWords(change)}`} required>
              <DateOptions dates={dates?.ok ? dates.rows : []} />
            </LateSelectField>
          </>
        )
      }
    </PortalForm>
  );
}
