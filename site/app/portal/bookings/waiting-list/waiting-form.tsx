import { browserClient } from "../../../supabase/supabase.client.ts";
import type { BookableDate } from "../../bookable-dates/bookable-date.ts";
import { choiceInWords } from "../../bookable-dates/places.ts";
import { formValues, initialValues } from "../../forms/fields.ts";
import { LateSelectField } from "../../forms/late-select-field.tsx";
import { PortalForm, type SubmittedForm } from "../../forms/portal-form.tsx";
import { RecordFields } from "../../forms/record-fields.tsx";
import type { RecordEdit } from "../../records/save-record.ts";
import { waitingFields, type Person } from "../fields.ts";
import { PersonField } from "../person-field.tsx";
import { saveWaiting } from "./queries.ts";
import { addWaiting } from "./add-waiting.ts";
import type { WaitingEntry } from "./waiting-list.ts";

interface WaitingFormProps extends Omit<SubmittedForm, "submit"> {
  dates: readonly BookableDate[];
  find: (words: string) => Promise<Person[]>;
  /** The entry to change, or the id of the course date of a new one. */
  about: RecordEdit<WaitingEntry> | string;
}

const FIELDS = {
  ...waitingFields,
  places: { ...waitingFields.places, hint: "All of them must be free before they are called." },
  phone: { ...waitingFields.phone, hint: "Enter this or the e-mail address." },
};

/** The form of an entry of a waiting list, new or changed. */
export default function WaitingForm({ dates, find, about, ...shared }: WaitingFormProps) {
  const own =
    typeof about === "string"
      ? {
          name: "New entry in the waiting list",
          label: "Add to waiting list",
          busyLabel: "Adding...",
          about,
          addsRecord: true,
          begin: { ...initialValues(FIELDS), course_id: about },
          submit: (form: FormData) => addWaiting(browserClient(), form),
        }
      : {
          name: `Entry of ${about.opened.name}`,
          label: "Save entry",
          busyLabel: "Saving...",
          opened: about.opened,
          begin: formValues(FIELDS, about.opened),
          submit: (form: FormData) => saveWaiting(browserClient(), about, form),
        };
  return (
    <PortalForm titled checksFields takesFocus {...own} {...shared}>
      {({ field }) => (
        <RecordFields
          fields={FIELDS}
          field={field}
          own={{
            name: <PersonField {...field("name")} find={find} />,
            course_id: (
              <LateSelectField {...field("course_id")} label="Date" hint="Another date puts them at the end of its list." required>
                {dates.map((each) => (
                  <option key={each.id} value={each.id} disabled={each.status === "cancelled"}>
                    {choiceInWords(each)}
                  </option>
                ))}
              </LateSelectField>
            ),
          }}
        />
      )}
    </PortalForm>
  );
}
