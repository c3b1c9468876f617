import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { forgetDraft, keepDraft, readDraft, type Draft, type DraftKey } from "./unsaved-form.ts";
import { Notice } from "../frame/notice.tsx";
import { outcomeOf, type Done, type Outcome, type Refusal } from "../frame/outcome.ts";
import styles from "./portal-form.module.css";

/** What the fields of a form need to know of it. */
export interface FormState {
  /** What the fields begin with: what was typed before and not sent, else what the form was opened with. */
  value: Draft;
  /** Why this field was refused, if it was. */
  errorOf: (field: string) => string | undefined;
  /** What a field of this name takes. */
  field: (name: string) => { id: string; name: string; defaultValue: string | undefined; error: string | undefined };
}

interface PortalFormProps {
  /** Names the form for people who do not see its place. */
  name: string;
  /** Where what is typed is kept until it is sent, passwords excepted; without it nothing is kept. */
  draft?: DraftKey;
  /** The id of the record it is about, which its draft keeps too. */
  about?: string | undefined;
  /** What the fields begin with where nothing was typed before. */
  begin?: Draft | undefined;
  /** True where its first field takes the focus as it opens. */
  takesFocus?: boolean;
  label: string;
  busyLabel: string;
  submit: (form: FormData) => Promise<Outcome>;
  onDone?: (outcome: Done) => void;
  children: (state: FormState) => ReactNode;
}

/** The one form of the portal: it sends once, says why it was refused where it was, and never loses what was typed. */
export function PortalForm({ name, draft, about, begin, takesFocus = false, label, busyLabel, submit, onDone, children }: PortalFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [typed, setTyped] = useState<Draft | null>(() => readOwnDraft(draft, about));
  const [round, setRound] = useState(0);

  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>("input:not([type=hidden]), select, textarea")?.focus();
  }, [takesFocus]);

  useEffect(() => {
    const control = refusal?.field === undefined ? null : form.current?.elements.namedItem(refusal.field);
    if (control instanceof HTMLElement) control.focus();
  }, [refusal]);

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    const sending = submit(new FormData(event.currentTarget));
    const outcome = await outcomeOf(sending, "Something went wrong. What you typed is still here; please try again.");
    setBusy(false);
    if (!outcome.ok) return setRefusal(outcome);
    if (draft) forgetDraft(sessionStorage, draft);
    onDone?.(outcome);
  }

  function clear(): void {
    if (draft) forgetDraft(sessionStorage, draft);
    setTyped(null);
    setRefusal(null);
    setRound(round + 1);
  }

  const value: Draft = { ...begin, ...typed };
  const errorOf = (field: string): string | undefined => (refusal?.field === field ? refusal.message : undefined);
  return (
    <form
      key={round}
      ref={form}
      aria-label={name}
      className={styles.form}
      onSubmit={(event) => void send(event)}
      onInput={(event) => {
        if (draft) keepDraft(sessionStorage, draft, valuesOf(event.currentTarget));
      }}
    >
      {about !== undefined && <input type="hidden" name="id" value={about} />}
      {children({ value, errorOf, field: (field) => ({ id: field, name: field, defaultValue: value[field], error: errorOf(field) }) })}
      {refusal && refusal.field === undefined && (
        <div className={styles.wide}>
          <Notice outcome={refusal} />
        </div>
      )}
      <div className={styles.actions}>
        <Button type="submit" disabled={busy}>
          {busy ? busyLabel : label}
        </Button>
        {typed && (
          <>
            <Button look="plain" onClick={clear}>
              Clear
            </Button>
            <span className={styles.restored}>What you typed before is back.</span>
          </>
        )}
      </div>
    </form>
  );
}

/** The draft, unless it is about another record than the form. */
function readOwnDraft(key: DraftKey | undefined, about: string | undefined): Draft | null {
  const draft = key ? readDraft(sessionStorage, key) : null;
  if (draft?.["id"] !== about) return null;
  // No more than which record stood open: nothing was typed.
  return draft && Object.keys(draft).every((name) => name === "id" || name === "version") ? null : draft;
}

function valuesOf(form: HTMLFormElement): Draft {
  const secret = new Set([...form.querySelectorAll<HTMLInputElement>("input[type=password]")].map(({ name }) => name));
  return Object.fromEntries(
    [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === "string" && !secret.has(entry[0])),
  );
}
