import { browserClient } from "../../supabase/supabase.client.ts";
import { SelectField } from "../../ui/field.tsx";
import { textOf } from "../forms/form-text.ts";
import { PortalForm, type SubmittedForm } from "../forms/portal-form.tsx";
import { LoadStatus } from "../frame/load-status.tsx";
import type { Loaded } from "../frame/outcome.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { setHoldHours, type Hold } from "./queries.ts";

interface HoldFormProps extends Pick<SubmittedForm, "onDone"> {
  hold: Promise<Loaded<Hold>>;
}

const OFF = "off";
const CHOICES = [24, 48, 72, 168];

/** Chooses for how long a new request holds its places, or that it holds none. */
export function HoldForm({ hold, ...submitted }: HoldFormProps) {
  const result = useLoaded(hold);
  const stored = result?.ok ? result.rows[0] : undefined;
  return (
    <>
      <LoadStatus result={result} />
      {stored && (
        <PortalForm
          key={stored.hours}
          {...submitted}
          name="Holding places"
          label="Save"
          busyLabel="Saving..."
          begin={{ hold: String(stored.hours ?? OFF) }}
          submit={(form) => setHoldHours(browserClient(), Number(textOf(form, "hold")) || null)}
        >
          {({ field }) => (
            <SelectField {...field("hold")} label="Hold places" required>
              <option value={OFF}>Off</option>
              {CHOICES.map((each) => (
                <option key={each} value={each}>
                  {each} hours
                </option>
              ))}
            </SelectField>
          )}
        </PortalForm>
      )}
    </>
  );
}
