import { courseNames } from "content/courses/index.ts";
import { SelectField, TextAreaField, TextField } from "../../ui/field.tsx";
import type { FormKey } from "../forms/unsaved-form.ts";
import { LongText } from "../lists/long-text.tsx";
import { Options } from "../forms/options.tsx";
import type { Done, Outcome } from "../frame/outcome.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import styles from "./enquiry-form.module.css";
import { LONGEST_MESSAGE, LONGEST_NAME, LONGEST_NOTE, LONGEST_REPLY, STATUSES, type Enquiry } from "./schema.ts";

interface SentForm {
  formKey: FormKey;
  submit: (form: FormData) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

/** The form of an enquiry that came by telephone or at the counter. */
export function NewEnquiry(sent: SentForm) {
  return (
    <PortalForm name="New enquiry" label="Add Enquiry" busyLabel="Adding..." takesFocus {...sent}>
      {({ field }) => (
        <>
          <TextField {...field("name")} label="Name" required maxLength={LONGEST_NAME} autoComplete="off" />
          <TextField {...field("reply_to")} label="E-mail or phone" required maxLength={LONGEST_REPLY} autoComplete="off" />
          <SelectField {...field("course_name")} label="Course">
            <option value="">None in particular</option>
            {courseNames.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
          <TextAreaField {...field("message")} label="Question" required rows={4} maxLength={LONGEST_MESSAGE} />
        </>
      )}
    </PortalForm>
  );
}

/** The office's side of an enquiry, below what was asked. */
export function HandleEnquiry({ enquiry, ...sent }: SentForm & { enquiry: Enquiry }) {
  return (
    <PortalForm
      name={`Enquiry of ${enquiry.name}`}
      label="Save Enquiry"
      busyLabel="Saving..."
      about={enquiry.id}
      begin={{ status: enquiry.status, note: enquiry.note ?? "" }}
      takesFocus
      {...sent}
    >
      {({ field }) => (
        <>
          <blockquote className={styles.asked}>
            <p>
              <strong>{enquiry.name}</strong>
              {enquiry.course_name !== null && `, about ${enquiry.course_name}`}
            </p>
            <LongText text={enquiry.message} />
          </blockquote>
          <TextAreaField {...field("note")} label="Note" hint="For the office alone." rows={4} maxLength={LONGEST_NOTE} />
          <SelectField {...field("status")} label="Status" required>
            <Options labels={STATUSES} />
          </SelectField>
        </>
      )}
    </PortalForm>
  );
}
