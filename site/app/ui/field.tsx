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
export function TextField({ id, label, hint, error, standalone = false, ...rest }: FieldProps & Omit<ComponentProps<"input">, "id">) {
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={!rest.required && !standalone}>
      <input id={id} className={styles.control} {...description(id, hint, error)} {...rest} />
    </Field>
  );
}

/** A labelled text area with hint and error. */
export function TextAreaField({
  id,
  label,
  hint,
  error,
  standalone = false,
  ...rest
}: FieldProps & Omit<ComponentProps<"textarea">, "id">) {
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={!rest.required && !standalone}>
      <textarea id={id} className={styles.control} {...description(id, hint, error)} {...rest} />
    </Field>
  );
}

/** A labelled select with hint and error. */
export function SelectField({ id, label, hint, error, standalone = false, ...rest }: FieldProps & Omit<ComponentProps<"select">, "id">) {
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={!rest.required && !standalone}>
      <select id={id} className={styles.control} {...description(id, hint, error)} {...rest} />
    </Field>
  );
}

function Field({
  id,
  label,
  hint,
  error,
  optional,
  children,
}: Omit<FieldProps, "standalone"> & { optional: boolean; children: ReactNode }) {
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
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}

function description(id: string, hint: ReactNode, error: string | undefined) {
  const ids = [hint ? `${id}-hint` : undefined, error ? `${id}-error` : undefined].filter((name) => name !== undefined);
  return {
    ...(ids.length > 0 ? { "aria-describedby": ids.join(" ") } : {}),
    ...(error ? { "aria-invalid": true } : {}),
  };
}
