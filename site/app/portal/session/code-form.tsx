import { useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Message } from "../../ui/message.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { textOf } from "../forms/form-text.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { listFactors, verifyFactor } from "./second-factor.ts";
import { useLoaded } from "../frame/use-loaded.ts";

/** Asks for the code of a second factor; the layout reloads the page when the session changes. */
export function CodeForm() {
  const [factors] = useState(() => listFactors(browserClient()));
  const found = useLoaded(factors);
  if (!found) return <Spinner />;
  if (found.length === 0) {
    return (
      <Message tone="error">
        <p>Your sign-in code could not be checked. Load this page again, or log out and sign in once more.</p>
      </Message>
    );
  }
  return (
    <PortalForm
      name="Second step"
      label="Confirm"
      busyLabel="Confirming..."
      takesFocus
      submit={(form) => verifyFactor(browserClient(), textOf(form, "factor"), form)}
    >
      {({ field }) => (
        <>
          {found.length === 1 ? (
            <input type="hidden" name="factor" value={found[0]?.id} />
          ) : (
            <SelectField {...field("factor")} label="Device" required>
              {found.map(({ id, friendly_name: name }) => (
                <option key={id} value={id}>
                  {name ?? "Without a name"}
                </option>
              ))}
            </SelectField>
          )}
          <CodeField field={field} />
        </>
      )}
    </PortalForm>
  );
}

/** The field for the code of an authenticator app. */
export function CodeField({ field }: { field: (name: string) => { id: string; name: string; error: string | undefined } }) {
  return (
    <TextField
      {...field("code")}
      label="Code"
      hint="The six digits your authenticator app shows now."
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={9}
      required
    />
  );
}
