import { Fragment, type ReactNode } from "react";
import { SelectField, TextAreaField, TextField } from "../../ui/field.tsx";
import type { Field } from "./fields.ts";
import { Options } from "./options.tsx";
import type { FormState } from "./portal-form.tsx";

interface RecordFieldsProps {
  fields: Readonly<Record<string, Pick<Field<never>, "label" | "hint" | "control">>>;
  field: FormState["field"];
  /** Own controls for some fields; null leaves a field out. */
  own?: Readonly<Record<string, ReactNode>>;
}

/** The controls of the fields of a record, in their order. */
export function RecordFields({ fields, field, own }: RecordFieldsProps) {
  return Object.entries(fields).map(([name, { label, hint, control }]) => {
    if (own && Object.hasOwn(own, name)) return <Fragment key={name}>{own[name]}</Fragment>;
    const shared = { ...field(name), label, hint, ...control.attributes };
    switch (control.kind) {
      case "input":
        return <TextField key={name} {...shared} />;
      case "textarea":
        return <TextAreaField key={name} {...shared} />;
      case "select":
        return (
          <SelectField key={name} {...shared}>
            {control.empty !== null && <option value="">{control.empty}</option>}
            <Options labels={control.options} />
          </SelectField>
        );
    }
  });
}
