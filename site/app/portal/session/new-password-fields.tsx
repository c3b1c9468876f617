import { SHORTEST_PASSWORD } from "./new-password.ts";
import { PasswordField } from "./password-field.tsx";
import type { FormState } from "../forms/portal-form.tsx";

/** The two fields for a new password. */
export function NewPasswordFields({ field, label = "Password" }: Pick<FormState, "field"> & { label?: string }) {
  return (
    <>
      <PasswordField
        {...field("password")}
        label={label}
        hint={`At least ${SHORTEST_PASSWORD} characters. A short sentence is easy to remember.`}
        autoComplete="new-password"
        required
      />
      <PasswordField {...field("repeat")} label={`Repeat ${label.toLowerCase()}`} autoComplete="new-password" required />
    </>
  );
}
