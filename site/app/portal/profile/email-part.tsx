import { browserClient } from "../../supabase/supabase.client.ts";
import { TextField } from "../../ui/field.tsx";
import type { FormKey } from "../forms/unsaved-form.ts";
import type { Outcome } from "../frame/outcome.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { changeEmail, type Profile } from "./queries.ts";

interface EmailPartProps {
  profile: Profile;
  /** True if the site can send the confirmation links by e-mail. */
  mails: boolean;
  formKey: FormKey;
  onDone: (outcome: Outcome) => void;
}

/** The e-mail address of the account and the form to change it, which needs a mail server. */
export function EmailPart({ profile: { email, newEmail }, mails, formKey, onDone }: EmailPartProps) {
  return (
    <section aria-labelledby="email-title">
      <h2 id="email-title">E-mail</h2>
      <p>
        You sign in as <strong>{email}</strong>.
      </p>
      {newEmail !== undefined && <p>The change to {newEmail} waits until the links mailed to both addresses are opened.</p>}
      {mails ? (
        <PortalForm
          name="Change e-mail"
          label="Change e-mail"
          busyLabel="Saving..."
          formKey={formKey}
          submit={(form) => changeEmail(browserClient(), form)}
          onDone={onDone}
        >
          {({ field }) => (
            <TextField
              {...field("email")}
              label="New e-mail"
              hint="Links to confirm it go to this one and to the new one."
              type="email"
              autoComplete="email"
              required
            />
          )}
        </PortalForm>
      ) : (
        <p>
          This site has no mail server to confirm another address. Ask a colleague to invite the new one, and to remove this account then.
        </p>
      )}
    </section>
  );
}
