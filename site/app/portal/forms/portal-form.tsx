import { use, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../frame/notice.tsx";
import { RoutingContext } from "../frame/routing.tsx";
import { outcomeOf, type Done, type Outcome, type Refusal } from "../frame/outcome.ts";
import { holdInput } from "./hold-input.ts";
import { withAnswer } from "./question.ts";
import { textOf } from "./form-text.ts";
import { SentFormContext } from "./sent-form.ts";
import { browserErrors, errorsOf, ErrorSummary, firstWrong } from "./form-errors.tsx";
import styles from "./portal-form.module.css";
import { NEW_ID, newId } from "./new-id.ts";
import { clearUnsaved, hasInput, OPENED, readUnsaved, storeUnsaved, type FormKey, type FormValues } from "./unsaved-form.ts";

/** State of the form that its fields use. */
export interface FormState {
  /** Initial values: unsaved input if there is some, else the values with which the form was opened. */
  value: FormValues;
  /** Props of the control of a field. */
  field: (name: string) => FieldState;
}

export interface FieldState {
  id: string;
  name: string;
  defaultValue: string | undefined;
  error: string | undefined;
}

/** The storage key of a form and its submission. */
export interface SubmittedForm {
  /** Stores the input under this key until it is saved, except passwords; nothing is stored without it. */
  formKey?: FormKey;
  submit: (form: FormData) => Promise<Outcome>;
  onDone?: (outcome: Done) => void;
}

interface PortalFormProps extends SubmittedForm {
  /** Accessible name. */
  name: string;
  /** Shows the name as a heading. */
  titled?: boolean;
  /** True if `submit` checks every field; otherwise the browser checks them and its messages are shown. */
  checksFields?: boolean;
  /** The id of the record; unsaved input of another record is ignored. */
  about?: string | undefined;
  /** The row that is edited, as it was opened: stored with unsaved input, so that the restored form detects lost updates. */
  opened?: { id: string } | undefined;
  /** Adds an id for the new record, so that a retry stores it once. */
  addsRecord?: boolean;
  /** Initial values where there is no unsaved input. */
  begin?: FormValues | undefined;
  /** Focuses the first field, or the named one, when the form opens. */
  takesFocus?: boolean | string;
  /** False until it can be sent, by default true. */
  ready?: boolean;
  label: string;
  busyLabel: string;
  children: (state: FormState) => ReactNode;
}

/** A form that submits once at a time, shows errors at their fields and never loses input. */
export function PortalForm(props: PortalFormProps) {
  const { name, formKey, opened, addsRecord = false, begin, takesFocus = false, label, busyLabel, submit, onDone, children } = props;
  const { about = opened?.id, titled = false, checksFields = false, ready = true } = props;
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [answered, setAnswered] = useState<readonly string[]>([]);
  const [typed, setTyped] = useState<FormValues | null>(() => readUnsavedOf(formKey, about));
  const [firstId] = useState(newId);
  const [id, setId] = useState(firstId);
  const { reload } = use(RoutingContext);
  const onSent = use(SentFormContext);

  // In layout effects, before the form is on screen: later the focus would leave a field in which somebody types already, or keys would be refused.
  useLayoutEffect(() => {
    // The button that cleared the form is gone.
    if (takesFocus === false && id === firstId) return;
    const named = typeof takesFocus === "string" ? `[name=${takesFocus}]` : "";
    form.current?.querySelector<HTMLElement>(`:is(input:not([type=hidden]), select, textarea)${named}`)?.focus();
  }, [takesFocus, id, firstId]);

  useLayoutEffect(() => {
    if (busy && form.current) return holdInput(form.current);
  }, [busy]);

  useLayoutEffect(() => {
    const control = form.current && firstWrong(form.current, errorsOf(refusal));
    control?.focus();
    // The error of a control without a place for it is shown by the browser.
    if (control?.validity.valid === false && control.ariaInvalid === null) control.reportValidity();
    // A refused password or code is replaced rather than corrected.
    if (control instanceof HTMLInputElement && /password|one-time-code/.test(control.autocomplete)) control.select();
  }, [refusal]);

  /** Sends the input with the questions that were answered since it was changed; returns true if it was accepted. */
  async function send(element: HTMLFormElement, answers: readonly string[]): Promise<boolean> {
    setBusy(true);
    setRefusal(null);
    setAnswered(answers);
    const data = new FormData(element);
    const sending = submit(answers.reduce(withAnswer, data));
    const outcome = await outcomeOf(sending, "Something went wrong. Your input is still here; please try again.");
    setBusy(false);
    if (!outcome.ok) {
      setRefusal(outcome);
      if (outcome.stale) await reload();
      return false;
    }
    if (formKey && isOf(data, readUnsaved(formKey))) clearUnsaved(formKey);
    onDone?.(outcome);
    return true;
  }

  function clear(): void {
    if (formKey) clearUnsaved(formKey);
    setTyped(null);
    setRefusal(null);
    setId(newId());
  }

  /** Shows the errors that the browser finds, and returns true if there is none. */
  function isComplete(): boolean {
    const errors = form.current ? browserErrors(form.current, checksFields) : {};
    const first = Object.entries(errors)[0];
    if (!first) return true;
    setRefusal({ ok: false, message: first[1], field: first[0], errors });
    return false;
  }

  const errors = errorsOf(refusal);
  const value: FormValues = { ...begin, ...typed };
  const field = (column: string): FieldState => ({
    id: column,
    name: column,
    defaultValue: value[column],
    error: errors[column],
  });
  return (
    <form
      key={id}
      ref={form}
      aria-label={name}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && isComplete()) onSent(send(event.currentTarget, []));
      }}
      onInput={(event) => {
        if (refusal?.confirm !== undefined) setRefusal(null);
        if (!formKey) return;
        const values = { ...valuesOf(event.currentTarget), ...(opened && { [OPENED]: JSON.stringify(opened) }) };
        if (hasInput(values, begin)) storeUnsaved(formKey, values);
        else clearUnsaved(formKey);
      }}
    >
      {about !== undefined && <input type="hidden" name="id" value={about} />}
      {addsRecord && <input type="hidden" name={NEW_ID} defaultValue={value[NEW_ID] ?? id} />}
      {titled && <h2 className="wide">{name}</h2>}
      <ErrorSummary errors={errors} />
      {children({ value, field })}
      {refusal && refusal.field === undefined && (
        <div className="wide stack">
          <Notice outcome={refusal} />
          {refusal.confirm !== undefined && (
            <Button look="plain" busy={busy} onClick={() => form.current && onSent(send(form.current, [...answered, refusal.message]))}>
              {refusal.confirm}
            </Button>
          )}
        </div>
      )}
      <div className="row wide">
        <Button type="submit" disabled={!ready} busy={busy}>
          {busy ? busyLabel : label}
        </Button>
        {typed && (
          <>
            <Button look="plain" onClick={clear}>
              Clear
            </Button>
            <span className="soft">Your unsaved input was restored.</span>
          </>
        )}
      </div>
    </form>
  );
}

/** Returns the unsaved input unless it belongs to another record or holds no field. */
function readUnsavedOf(key: FormKey | undefined, about: string | undefined): FormValues | null {
  const values = key ? readUnsaved(key) : null;
  if (values?.["id"] !== about) return null;
  return values && hasInput(values) ? values : null;
}

/** True if stored input is that of the sent form: after the page was left, another record may use its key. */
function isOf(sent: FormData, stored: FormValues | null): boolean {
  return ["id", NEW_ID].every((name) => (stored?.[name] ?? "") === textOf(sent, name));
}

function valuesOf(form: HTMLFormElement): FormValues {
  // Not by type: a password may be shown as text.
  const passwords = new Set([...form.querySelectorAll<HTMLInputElement>("input[autocomplete$=password]")].map(({ name }) => name));
  return Object.fromEntries(
    [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === "string" && !passwords.has(entry[0])),
  );
}
