import type { Factor } from "@supabase/supabase-js";
import { useState } from "react";
import { londonDay } from "../../time/london-date.ts";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { CodeField } from "../session/code-form.tsx";
import { DeleteButton } from "../records/delete-button.tsx";
import type { FormKey } from "../forms/unsaved-form.ts";
import { done, type Outcome } from "../frame/outcome.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { beginEnrolment, endEnrolment, removeFactor, type Enrolment } from "./queries.ts";
import styles from "./profile.module.css";

interface SecondFactorProps {
  factors: readonly Factor[];
  /** The key under which the name of a new device is stored. */
  formKey: FormKey;
  onDone: (outcome: Outcome) => void;
  act: (action: () => Promise<Outcome>) => Promise<unknown>;
}

/** The second factors of the account, and the form to set up another one. */
export function SecondFactor({ factors, formKey, onDone, act }: SecondFactorProps) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [isCancelled, setCancelled] = useState(false);

  function cancel(): void {
    setEnrolment(null);
    setCancelled(true);
  }

  return (
    <section aria-labelledby="factor-title">
      <h2 id="factor-title">Sign-in code</h2>
      <p>
        {factors.length === 0
          ? "A code from an authenticator app on your phone, asked for after your password. The password alone is then not enough to sign in."
          : "Signing in asks for a code from one of these. A second device saves you when the first is lost."}
      </p>
      {factors.length > 0 && (
        <ul className={styles.rows}>
          {factors.map(({ id, friendly_name: name = "Without a name", created_at: since }) => (
            <li key={id}>
              <span>
                <strong>{name}</strong>, since {londonDay(since)}
              </span>
              <DeleteButton
                what={name}
                question="Stop accepting sign-in codes from this device?"
                verb="Remove"
                busyLabel="Removing..."
                run={() => act(() => removeFactor(browserClient(), id))}
              />
            </li>
          ))}
        </ul>
      )}
      {enrolment ? (
        <Proof enrolment={enrolment} onDone={onDone} cancel={cancel} />
      ) : (
        <PortalForm
          name="Add a device"
          formKey={formKey}
          takesFocus={isCancelled}
          label={factors.length === 0 ? "Set up a sign-in code" : "Add another device"}
          busyLabel="Preparing..."
          begin={{ device: factors.length === 0 ? "Phone" : "" }}
          submit={async (form) => {
            const begun = await beginEnrolment(browserClient(), form);
            if (!begun.ok) return begun;
            setEnrolment(begun);
            return done("The code is shown.");
          }}
        >
          {({ field }) => (
            <TextField {...field("device")} label="Device" hint="A name by which you recognise it." maxLength={60} required />
          )}
        </PortalForm>
      )}
    </section>
  );
}

function Proof({ enrolment, onDone, cancel }: { enrolment: Enrolment; onDone: SecondFactorProps["onDone"]; cancel: () => void }) {
  return (
    <div className={styles.proof}>
      <img src={enrolment.qr} alt="QR code for an authenticator app" width={200} height={200} />
      <div className={styles.steps}>
        <p>Point your authenticator app at the picture, or type this key into it:</p>
        <p className={styles.secret}>{inGroups(enrolment.secret)}</p>
        <PortalForm
          name="First code"
          label="Confirm"
          busyLabel="Confirming..."
          takesFocus
          submit={(form) => endEnrolment(browserClient(), enrolment, form)}
          onDone={onDone}
        >
          {({ field }) => <CodeField field={field} />}
        </PortalForm>
        <Button look="plain" onClick={cancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

/** Splits a secret into groups of four characters, which are easier to type. */
function inGroups(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, "$1 ");
}
