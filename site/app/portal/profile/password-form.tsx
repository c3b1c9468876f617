import { useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { TextField } from "../../ui/field.tsx";
import { NewPasswordFields } from "../session/new-password-fields.tsx";
import type { Outcome } from "../frame/outcome.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { changePassword, type PasswordProof } from "./queries.ts";

/** The form for a new password; shows a field for the proof that the service requires. */
export function PasswordForm({ email, onDone }: { email: string; onDone: (outcome: Outcome) => void }) {
  const [needed, setNeeded] = useState<PasswordProof | null>(null);
  return (
    <section aria-labelledby="password-title">
      <h2 id="password-title">Password</h2>
      <PortalForm
        name="Change password"
        label="Change password"
        busyLabel="Changing..."
        submit={(form) => changePassword(browserClient(), form, setNeeded)}
        onDone={onDone}
      >
        {({ field }) => (
          <>
            {/* Password managers store the password under this name. */}
            <input type="hidden" name="username" autoComplete="username" value={email} />
            {needed === "current_password" && (
              <TextField {...field("current_password")} label="Current password" type="password" autoComplete="current-password" required />
            )}
            <NewPasswordFields field={field} label="New password" />
            {needed === "code" && (
              <TextField {...field("code")} label="Code from the mail" inputMode="numeric" autoComplete="one-time-code" required />
            )}
          </>
        )}
      </PortalForm>
    </section>
  );
}
