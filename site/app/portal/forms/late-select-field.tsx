import { useState, type ComponentProps } from "react";
import { SelectField } from "../../ui/field.tsx";

/** A select whose options may be loaded after it is shown. An uncontrolled one would select its first option then. */
export function LateSelectField({
  defaultValue = "",
  ...rest
}: ComponentProps<typeof SelectField> & { defaultValue?: string | undefined }) {
  const [chosen, choose] = useState(defaultValue);
  return <SelectField {...rest} value={chosen} onChange={(event) => choose(event.currentTarget.value)} />;
}
