import { LONGEST_MESSAGE, LONGEST_NAME, LONGEST_REPLY_TO } from "content/enquiry-limits.ts";
import type { Register } from "react-router";
import { Button } from "../ui/button.tsx";
import { SelectField, TextAreaField, TextField } from "../ui/field.tsx";
import { Honeypot } from "./honeypot.tsx";
import styles from "./enquiry-form.module.css";

type Field = "name" | "reply_to" | "course" | "message";

// Type-checked as by `href`, which would load the router's script on the home page.
const ENQUIRY = "/enquiry" satisfies keyof Register["pages"];
const PRIVACY_POLICY = "/privacy-policy" satisfies keyof Register["pages"];

const NOTHING = {};

interface EnquiryFormProps {
  courses: readonly { id: string; title: string }[];
  /** The visitor's input, after a rejected submission. */
  values?: Partial<Record<Field, string>>;
  errors?: Partial<Record<Field, string>>;
}

/** The enquiry form; a plain form, so that it works before and without scripts. */
export function EnquiryForm({ courses, values = NOTHING, errors = NOTHING }: EnquiryFormProps) {
  return (
    <form method="post" action={ENQUIRY} className={styles.form}>
      <TextField
        id="enquiry-name"
        name="name"
        label="Your name"
        autoComplete="name"
        required
        maxLength={LONGEST_NAME}
        defaultValue={values.name}
        error={errors.name}
      />
      <TextField
        id="enquiry-reply"
        name="reply_to"
        label="E-mail or phone"
        hint="However you would like to hear from us."
        autoComplete="email"
        required
        maxLength={LONGEST_REPLY_TO}
        defaultValue={values.reply_to}
        error={errors.reply_to}
      />
      <SelectField id="enquiry-course" name="course" label="Course" defaultValue={values.course ?? ""} error={errors.course}>
        <option value="">Not sure yet</option>
        {courses.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </SelectField>
      <TextAreaField
        id="enquiry-message"
        name="message"
        label="Your question"
        required
        maxLength={LONGEST_MESSAGE}
        defaultValue={values.message}
        error={errors.message}
      />
      <Honeypot />
      <p className={styles.send}>
        <Button type="submit">Send your question</Button>
        <a href={PRIVACY_POLICY}>How we use your details</a>
      </p>
    </form>
  );
}
