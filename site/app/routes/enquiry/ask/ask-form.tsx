import { LONGEST_NAME, LONGEST_PHONE, LONGEST_REPLY_TO, LONGEST_REQUEST_MESSAGE, MOST_PLACES } from "content/enquiry-limits.ts";
import { provider } from "content/provider.ts";
import { href } from "react-router";
import { Honeypot } from "../../../frame/honeypot.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextAreaField, TextField } from "../../../ui/field.tsx";
import { FormProblems } from "../form-problems.tsx";
import { ASK_FIELDS, type AskInput } from "./ask-schema.ts";
import styles from "./ask.module.css";

interface AskFormProps {
  waiting: boolean;
  /** A sentence about when the office is open. */
  answer: string;
  /** The visitor's input, after a rejected submission. */
  input: (AskInput & { problem: string }) | undefined;
}

const EMPTY: AskInput = { values: { name: "", email: "", phone: "", places: "1", message: "" }, errors: {} };

/** The form of a request; a plain form, so that it works without scripts. The browser does not check it, so that errors look the same everywhere. */
export function AskForm({ waiting, answer, input }: AskFormProps) {
  const { values, errors } = input ?? EMPTY;
  const field = (name: (typeof ASK_FIELDS)[number]) => ({ id: `ask-${name}`, name, defaultValue: values[name], error: errors[name] });
  return (
    <form method="post" noValidate className={styles.form}>
      {input && <FormProblems problem={input.problem} errors={ASK_FIELDS.map((name) => [`ask-${name}`, errors[name]])} />}
      <TextField {...field("name")} label="Your name" autoComplete="name" required maxLength={LONGEST_NAME} />
      <TextField
        {...field("email")}
        label="E-mail"
        hint="E-mail or phone is enough."
        standalone
        type="email"
        autoComplete="email"
        maxLength={LONGEST_REPLY_TO}
      />
      <TextField
        {...field("phone")}
        label="Phone"
        hint="We can usually answer faster by phone."
        standalone
        type="tel"
        autoComplete="tel"
        maxLength={LONGEST_PHONE}
      />
      <div className={styles.number}>
        <TextField
          {...field("places")}
          label="Places"
          inputMode="numeric"
          autoComplete="off"
          required
          maxLength={String(MOST_PLACES).length}
        />
      </div>
      <TextAreaField
        {...field("message")}
        label="Anything we should know?"
        hint="For example: who pays, or a question."
        maxLength={LONGEST_REQUEST_MESSAGE}
        rows={3}
      />
      <Honeypot />
      <p className={styles.send}>
        <Button type="submit">{waiting ? "Join the waiting list" : "Ask for this place"}</Button>
        <a href={href("/privacy-policy")}>How we use your details</a>
      </p>
      <p className={styles.answer}>
        Or call to book: <a href={provider.phoneHref}>{provider.phone}</a>. {answer}
      </p>
    </form>
  );
}
