import { browserClient } from "../../supabase/supabase.client.ts";
import { TextField } from "../../ui/field.tsx";
import type { FormKey } from "../forms/unsaved-form.ts";
import type { Outcome } from "../frame/outcome.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { saveName } from "./queries.ts";

/** The form for the display name. */
export function NameForm({ name, formKey, onDone }: { name: string; formKey: FormKey; onDone: (outcome: Outcome) => void }) {
  return (
    <section aria-labelledby="name-title">
      <h2 id="name-title">Name</h2>
      <PortalForm
        name="Change name"
        label="Save name"
        busyLabel="Saving..."
        formKey={formKey}
        begin={{ name }}
        submit={(form) => saveName(browserClient(), form)}
        onDone={onDone}
      >
        {({ field }) => <TextField {...field("name")} label="Your name" hint="As colleagues see it." autoComplete="name" maxLength={120} />}
      </PortalForm>
    </section>
  );
}
