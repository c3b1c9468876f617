import { TextField } from "../../ui/field.tsx";
import { SHORTEST_PASSWORD } from "./new-password.ts";
import type { FormState } from "../forms/portal-form.tsx";

/** The two fields for a new password. */
export function NewPasswordFields({ field, label = "Password" }: Pick<FormState, "field"> & { label?: string }) {
  return (
    <>
      <TextField
        {...field("password")}
        label={label}
        type="password"
        hint={`At least ${SHORTEST_PASSWORD} characters. A short sentence is easy to keep in mind.`}
        autoComplete="new-password"
        required
        minLength={SHORTEST_PASSWORD}
      />
      <TextField {...field("repeat")} label={`Repeat ${label.toLowerCase()}`} type="password" autoComplete="new-password" required />
    </>
  );
}
