import { browserClient } from "../../../supabase/supabase.client.ts";
import { SelectField, TextAreaField, TextField } from "../../../ui/field.tsx";
import type { FormKey } from "../../forms/unsaved-form.ts";
import type { RecordEdit } from "../../records/save-record.ts";
import type { Done } from "../../frame/outcome.ts";
import { PortalForm } from "../../forms/portal-form.tsx";
import { PersonField } from "../person-field.tsx";
import { choiceInWords } from "../places.ts";
import { LONGEST_EMAIL, LONGEST_NOTE, LONGEST_PHONE, MOST_PLACES, type BookableDate, type Person } from "../schema.ts";
import type { WaitingEntry } from "./waiting-list.ts";
import { addWaiting, saveWaiting } from "./queries.ts";

interface WaitingFormProps {
  dates: readonly BookableDate[];
  find: (words: string) => Promise<Person[]>;
  formKey: FormKey;
  onDone: (outcome: Done) => void;
  /** The entry that is changed, or the id of the date somebody is to wait for. */
  about: RecordEdit<WaitingEntry> | string;
}

/** The form of an entry in a waiting list, new or changed. */
export default function WaitingForm({ dates, find, about, ...shared }: WaitingFormProps) {
  const own =
    typeof about === "string"
      ? {
          name: "New entry in the waiting list",
          label: "Add to Waiting List",
          busyLabel: "Adding...",
          about,
          begin: { course_id: about, places: "1" },
          submit: (form: FormData) => addWaiting(browserClient(), form),
        }
      : {
          name: `Entry of ${about.opened.name}`,
          label: "Save Entry",
          busyLabel: "Saving...",
          about: about.opened.id,
          begin: toForm(about.opened),
          submit: (form: FormData) => saveWaiting(browserClient(), about, form),
        };
  return (
    <PortalForm takesFocus {...own} {...shared}>
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

function toForm({ course_id, name, email, phone, places, note }: WaitingEntry) {
  return { course_id, name, email: email ?? "", phone: phone ?? "", places: String(places), note: note ?? "" };
}
