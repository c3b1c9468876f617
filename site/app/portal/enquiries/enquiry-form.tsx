import { formValues } from "../forms/fields.ts";
import { PortalForm, type SubmittedForm } from "../forms/portal-form.tsx";
import { RecordFields } from "../forms/record-fields.tsx";
import { LongText } from "../lists/long-text.tsx";
import { enquiryFields, handlingFields, type Enquiry } from "./fields.ts";

/** The form of an enquiry that came by phone or in person. */
export function NewEnquiry(submitted: SubmittedForm) {
  return (
    <PortalForm name="New enquiry" label="Add enquiry" busyLabel="Adding..." addsRecord takesFocus {...submitted}>
      {({ field }) => <RecordFields fields={enquiryFields} field={field} />}
    </PortalForm>
  );
}

/** The form for the note and the status of an enquiry, below its message. */
export function HandleEnquiry({ enquiry, ...submitted }: SubmittedForm & { enquiry: Enquiry }) {
  const { id, name, course_name, message } = enquiry;
  return (
    <PortalForm
      name={`Enquiry of ${name}`}
      label="Save enquiry"
      busyLabel="Saving..."
      about={id}
      begin={formValues(handlingFields, enquiry)}
      takesFocus
      {...submitted}
    >
      {({ field, wide }) => (
        <>
          <blockquote className={wide}>
            <p>
              <strong>{name}</strong>
              {course_name !== null && `, about ${course_name}`}
            </p>
            <LongText text={message} />
          </blockquote>
          <RecordFields fields={handlingFields} field={field} />
        </>
      )}
    </PortalForm>
  );
}
