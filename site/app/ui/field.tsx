import type { ComponentProps, ReactNode } from "react";
import styles from "./field.module.css";

interface FieldProps {
  /** Unique on the page; connects label, hint and error. */
  id: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** True for a control outside a form, which is never marked as optional. */
  standalone?: boolean;
}

/** A labelled input with hint and error. */
export function TextField(props: FieldProps & Omit<ComponentProps<"input">, "id">) {
  const { field, control } = split(props);
  return (
    <Field {...field}>
      <input {...control} />
    </Field>
  );
}

/** A labelled text area with hint and error. */
export function TextAreaField(props: FieldProps & Omit<ComponentProps<"textarea">, "id">) {
  const { field, control } = split(props);
  return (
    <Field {...field}>
      <textarea {...control} />
    </Field>
  );
}

/** A labelled select with hint and error. */
export function SelectField(props: FieldProps & Omit<ComponentProps<"select">, "id">) {
  const { field, control } = split(props);
  return (
    <Field {...field}>
      <select {...control} />
    </Field>
  );
}

/** The properties of the field and those of its control. */
function split<Props extends FieldProps & { required?: boolean | undefined }>({
  id,
  label,
  hint,
  error,
  standalone = false,
  ...rest
}: Props) {
  const describedBy = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return {
    field: { id, label, hint, error, optional: !rest.required && !standalone },
    control: {
      id,
      className: styles.control,
      ...(describedBy === "" ? {} : { "aria-describedby": describedBy }),
      ...(error ? { "aria-invalid": true } : {}),
      ...rest,
    },
  };
}

type LabelProps = Omit<FieldProps, "standalone"> & { optional: boolean; children: ReactNode };

function Field({ id, label, hint, error, optional, children }: LabelProps) {
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {optional && <span className={styles.optional}> (optional)</span>}
      </label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p id={`${id}-error`} role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
