import { SelectField, TextAreaField, TextField } from "../../../ui/field.tsx";
import type { Draft, DraftKey } from "../draft.ts";
import type { Done, Outcome } from "../outcome.ts";
import { PortalForm } from "../portal-form.tsx";
import { PersonField } from "./person-field.tsx";
import { choiceInWords, LONGEST_EMAIL, LONGEST_NOTE, LONGEST_PHONE, MOST_PLACES, type BookableDate, type Person } from "./schema.ts";

interface WaitingFormProps {
  name: string;
  label: string;
  busyLabel: string;
  dates: readonly BookableDate[];
  find: (words: string) => Promise<Person[]>;
  draft: DraftKey;
  /** The id of the entry that is changed, or of the date somebody is to wait for. */
  about: string;
  begin: Draft;
  submit: (form: FormData) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

/** The form of an entry in a waiting list, new or changed. */
export function WaitingForm({ dates, find, ...rest }: WaitingFormProps) {
  return (
    <PortalForm takesFocus {...rest}>
      {({ field }) => (
        <>
          <PersonField {...field("name")} find={find} />
          <SelectField {...field("course_id")} label="Date" hint="Another date puts them at the end of its list." required>
            {dates.map((each) => (
              <option key={each.id} value={each.id} disabled={each.status === "cancelled"}>
                {choiceInWords(each)}
              </option>
            ))}
          </SelectField>
          <TextField
            {...field("places")}
            label="Places"
            hint="All of them must be free before they are called."
            type="number"
            inputMode="numeric"
            required
            min={1}
            max={MOST_PLACES}
            step={1}
          />
          <TextField
            {...field("phone")}
            label="Phone"
            hint="This or the e-mail address."
            type="tel"
            autoComplete="off"
            maxLength={LONGEST_PHONE}
          />
          <TextField {...field("email")} label="E-mail" type="email" autoComplete="off" maxLength={LONGEST_EMAIL} />
          <TextAreaField {...field("note")} label="Note" rows={3} maxLength={LONGEST_NOTE} />
        </>
      )}
    </PortalForm>
  );
}
