import { useState } from "react";
import { fieldProblem, fillLetter } from "../../letters/letter-text.ts";
import { letterValues } from "../../letters/letter-values.ts";
import { browserClient } from "../../supabase/supabase.client.ts";
import { SelectField, TextAreaField, TextField } from "../../ui/field.tsx";
import { formValues } from "../forms/fields.ts";
import { PortalForm, type FormState } from "../forms/portal-form.tsx";
import { RecordFields } from "../forms/record-fields.tsx";
import { useLoaded } from "../frame/use-loaded.ts";
import { dateInWords } from "../bookable-dates/bookable-date.ts";
import type { RecordEdit } from "../records/save-record.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { kindFields, kindOf, type KindForm, type KindRow, type LetterBooking } from "./fields.ts";
import styles from "./letters.module.css";
import { saveKind } from "./queries.ts";

interface KindFormPanelProps {
  edit: RecordEdit<KindRow>;
  /** Bookings to show the template with. */
  samples: Promise<readonly LetterBooking[]> | null;
  page: RecordPageState<KindForm>;
}

const NO_SAMPLES: Promise<readonly LetterBooking[]> = Promise.resolve([]);

/** The sample booking of the preview. */
const SAMPLE: LetterBooking = {
  id: "",
  name: "Alex Example",
  email: null,
  phone: null,
  places: 1,
  payment_status: "due",
  course_dates: { course_name: "Lvl 2 Door Supervisor", course_date: "2031-03-03T09:00:00Z", end_date: null },
};
const SAMPLE_OLD_START = "2031-02-24T09:00:00Z";

/** The form of a kind of letter with a preview of its text. */
export default function KindFormPanel({ edit, samples, page }: KindFormPanelProps) {
  const { id } = edit.opened;
  const fields = kindFields(id);
  return (
    <PortalForm
      name={kindOf(id).label}
      label="Save template"
      busyLabel="Saving..."
      formKey={page.keyOf("kind")}
      opened={edit.opened}
      begin={formValues(fields, edit.opened)}
      takesFocus
      submit={(form) => saveKind(browserClient(), edit, form)}
      onDone={page.finish}
    >
      {(state) => <TemplateFields id={id} state={state} samples={samples ?? NO_SAMPLES} />}
    </PortalForm>
  );
}

interface TemplateFieldsProps {
  id: string;
  state: FormState;
  samples: Promise<readonly LetterBooking[]>;
}

function TemplateFields({ id, state: { value, field }, samples }: TemplateFieldsProps) {
  const bookings = useLoaded(samples) ?? [];
  const [subject, setSubject] = useState(value["subject"] ?? "");
  const [body, setBody] = useState(value["body"] ?? "");
  const [textMessage, setTextMessage] = useState(value["text_message"] ?? "");
  const [chosen, setChosen] = useState("");
  const known = kindOf(id).fields;
  const fields = kindFields(id);
  const { course_dates: course_date, ...booking } = bookings.find((each) => each.id === chosen) ?? SAMPLE;
  const records = { booking, waiting: null, enquiry: { id: "5d1c9a7e-2b64-4f38-9e10-7c3a1b2d4e6f", course_name: null }, course_date };
  const problem = fieldProblem(subject, known) ?? fieldProblem(body, known);
  const values = letterValues(records, SAMPLE_OLD_START);
  const shown = fillLetter({ subject, body }, values);
  const hasText = kindOf(id).textMessage !== null;
  const shownText = hasText && fieldProblem(textMessage, known) === null ? fillLetter({ subject, body: textMessage }, values).body : "";
  return (
    <>
      <RecordFields
        fields={fields}
        field={field}
        own={{
          subject: (
            <TextField
              {...field("subject")}
              label={fields.subject.label}
              {...fields.subject.control.attributes}
              onChange={(event) => setSubject(event.currentTarget.value)}
            />
          ),
          body: (
            <TextAreaField
              {...field("body")}
              label={fields.body.label}
              hint={<span className={styles.fields}>Fields: {known.map((name) => `{${name}}`).join(" ")}</span>}
              {...fields.body.control.attributes}
              onChange={(event) => setBody(event.currentTarget.value)}
            />
          ),
          ...(hasText
            ? {
                text_message: (
                  <TextAreaField
                    {...field("text_message")}
                    label={fields.text_message.label}
                    {...fields.text_message.control.attributes}
                    onChange={(event) => setTextMessage(event.currentTarget.value)}
                  />
                ),
              }
            : { texts: <input type="hidden" name="texts" value="off" />, text_message: null }),
        }}
      />
      <section aria-label="Preview" className={`wide ${styles.preview}`}>
        {known.includes("name") && (
          <SelectField
            id="sample"
            label="Preview with"
            standalone
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            <option value="">A sample booking</option>
            {bookings.map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}, {dateInWords(each.course_dates)}
              </option>
            ))}
          </SelectField>
        )}
        {problem === null ? <h2>{shown.subject}</h2> : <p className="problem">{problem}</p>}
        <div className={styles.text}>{shown.body}</div>
        {shownText !== "" && (
          <>
            <h2>Text message, {shownText.length} characters</h2>
            <div className={styles.text}>{shownText}</div>
          </>
        )}
      </section>
    </>
  );
}
