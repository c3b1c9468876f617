import { browserClient } from "../../supabase/supabase.client.ts";
import { SelectField } from "../../ui/field.tsx";
import type { Outcome } from "../frame/outcome.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { setHoldHours } from "./queries.ts";

interface HoldSelectProps {
  hours: Promise<number | null | undefined>;
  act: (action: () => Promise<Outcome>) => Promise<void>;
}

const CHOICES = [24, 48, 72, 168];

/** Chooses for how long a new request holds its places, or that it holds none. */
export function HoldSelect({ hours, act }: HoldSelectProps) {
  const chosen = useLoaded(hours);
  if (chosen === undefined) return null;
  return (
    <SelectField
      key={chosen}
      id="hold"
      label="Hold places"
      standalone
      defaultValue={chosen ?? ""}
      onChange={({ currentTarget: { value } }) => void act(() => setHoldHours(browserClient(), value === "" ? null : Number(value)))}
    >
      <option value="">Off</option>
      {CHOICES.map((each) => (
        <option key={each} value={each}>
          {each} hours
        </option>
      ))}
    </SelectField>
  );
}
