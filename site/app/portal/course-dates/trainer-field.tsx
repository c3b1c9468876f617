import type { Loaded } from "../frame/outcome.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { LateSelectField } from "../forms/late-select-field.tsx";
import type { FieldState } from "../forms/portal-form.tsx";
import { accountInWords, type StaffAccount } from "../lists/people.ts";
import { courseDateFields } from "./fields.ts";

const { label, hint } = courseDateFields.trainer_id;

/** The choice of the trainer among the accounts that are not disabled. */
export function TrainerField({ people, ...field }: FieldState & { people: Promise<Loaded<StaffAccount>> }) {
  const result = useLoaded(people);
  const accounts = result?.ok ? result.rows : undefined;
  const chosen = field.defaultValue ?? "";
  const offered = (accounts ?? []).filter(({ id, state }) => state !== "disabled" && id !== chosen);
  return (
    <LateSelectField {...field} error={field.error ?? (result?.ok === false ? result.message : undefined)} label={label} hint={hint}>
      <option value="">Nobody yet</option>
      {chosen !== "" && <option value={chosen}>{accounts ? accountInWords(accounts, chosen) : "The current trainer"}</option>}
      {offered.map(({ id }) => (
        <option key={id} value={id}>
          {accountInWords(offered, id)}
        </option>
      ))}
    </LateSelectField>
  );
}
