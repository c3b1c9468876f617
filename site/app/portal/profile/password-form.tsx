import { useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { TextField } from "../../ui/field.tsx";
import { NewPasswordFields } from "../session/new-password-fields.tsx";
import { PasswordField } from "../session/password-field.tsx";
import type { Outcome } from "../frame/outcome.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { changePassword } from "./queries.ts";

interface PasswordFormProps {
  email: string;
  /** True if the service asks for the current password. */
  needsPassword: boolean;
  onDone: (outcome: Outcome) => void;
}

/** The form for a new password; has a field for a mailed code if the service requires one. */
export function PasswordForm({ email, needsPassword, onDone }: PasswordFormProps) {
  const [needsCode, setNeedsCode] = useState(false);
  return (
    <section aria-labelledby="password-title">
      <h2 id="password-title">Password</h2>
      <PortalForm
        name="Change password"
        label="Change password"
        busyLabel="Changing..."
        submit={(form) => changePassword(browserClient(), form, () => setNeedsCode(true))}
        onDone={onDone}
      >
        {({ field }) => (
          <>
            {/* Password managers store the password under this name. */}
            <input type="hidden" name="username" autoComplete="username" value={email} />
            {needsPassword && (
              <PasswordField {...field("current_password")} label="Current password" autoComplete="current-password" required />
            )}
            <NewPasswordFields field={field} label="New password" />
            {needsCode && (
              <TextField {...field("code")} label="Code from the mail" inputMode="numeric" autoComplete="one-time-code" required />
            )}
          </>
        )}
      </PortalForm>
    </section>
  );
}
