import { TextField } from "../../ui/field.tsx";
import type { FormKey } from "../forms/unsaved-form.ts";
import type { Done, Outcome } from "../frame/outcome.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { LINK_LASTS } from "./schema.ts";
import styles from "./staff.module.css";

interface InviteFormProps {
  /** True if the site can send the link by e-mail. */
  mails: boolean;
  formKey: FormKey;
  submit: (form: FormData) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

/** Invites a person by e-mail or with a link to hand over. */
export function InviteForm({ mails, formKey, submit, onDone }: InviteFormProps) {
  return (
    <PortalForm name="Invitation" formKey={formKey} takesFocus label="Invite" busyLabel="Inviting..." submit={submit} onDone={onDone}>
      {({ field, value }) => (
        <>
          <TextField {...field("email")} label="E-mail" type="email" autoComplete="off" required />
          <TextField {...field("name")} label="Name" autoComplete="off" maxLength={120} />
          {mails && (
            <div className={styles.byHand}>
              <label>
                <input type="checkbox" name="by_hand" defaultChecked={value["by_hand"] === "on"} /> Give me the link to hand over
              </label>
              <p className="soft">Otherwise it is sent by e-mail. It works once, within {LINK_LASTS}.</p>
            </div>
          )}
        </>
      )}
    </PortalForm>
  );
}
