import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { forgetDraft, keepDraft, readDraft, type Draft, type DraftKey } from "./draft.ts";
import { Notice } from "./notice.tsx";
import { refused, type Done, type Outcome, type Refusal } from "./outcome.ts";
import styles from "./portal-form.module.css";

/** What the fields of a form need to know of it. */
export interface FormState {
  /** What was typed before and not sent. */
  typed: Draft;
  /** Why this field was refused, if it was. */
  errorOf: (field: string) => string | undefined;
}

interface PortalFormProps {
  /** Names the form for people who do not see its place. */
  name: string;
  /** Where what is typed is kept until it is sent; without it nothing is kept. */
  draft?: DraftKey;
  label: string;
  busyLabel: string;
  submit: (form: FormData) => Promise<Outcome>;
  onDone?: (outcome: Done) => void;
  children: (state: FormState) => ReactNode;
}

/** The one form of the portal: it sends once, says why it was refused where it was, and never loses what was typed. */
export function PortalForm({ name, draft, label, busyLabel, submit, onDone, children }: PortalFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [typed, setTyped] = useState<Draft | null>(() => (draft ? readDraft(sessionStorage, draft) : null));
  const [round, setRound] = useState(0);

  useEffect(() => {
    const control = refusal?.field === undefined ? null : form.current?.elements.namedItem(refusal.field);
    if (control instanceof HTMLElement) control.focus();
  }, [refusal]);

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    const outcome = await settled(submit(new FormData(event.currentTarget)));
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
      {children({ typed: typed ?? {}, errorOf: (field) => (refusal?.field === field ? refusal.message : undefined) })}
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

async function settled(sending: Promise<Outcome>): Promise<Outcome> {
  try {
    return await sending;
  } catch (error) {
    reportError(error);
    return refused("Something went wrong. What you typed is still here; please try again.");
  }
}

function valuesOf(form: HTMLFormElement): Draft {
  return Object.fromEntries([...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
