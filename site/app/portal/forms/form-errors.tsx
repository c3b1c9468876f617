import type { Refusal } from "../frame/outcome.ts";
import styles from "./portal-form.module.css";

/** The error of each wrong field, by its name. */
type FieldErrors = Readonly<Record<string, string>>;

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The errors that the browser finds; with `onlyUnreadable` those of incomplete input, which a form sends as an empty text. */
export function browserErrors(form: HTMLFormElement, onlyUnreadable: boolean): FieldErrors {
  const wrong = controlsOf(form).filter(({ name, validity }) => name !== "" && (onlyUnreadable ? validity.badInput : !validity.valid));
  return Object.fromEntries(wrong.map(({ name, validationMessage }) => [name, validationMessage]));
}

/** The fields that a refusal names. */
export function errorsOf(refusal: Refusal | null): FieldErrors {
  if (refusal?.errors) return refusal.errors;
  return refusal?.field === undefined ? {} : { [refusal.field]: refusal.message };
}

/** The first control with an error, in the order of the form. */
export function firstWrong(form: HTMLFormElement, errors: FieldErrors): Control | undefined {
  return controlsOf(form).find(({ name }) => Object.hasOwn(errors, name));
}

function controlsOf(form: HTMLFormElement): Control[] {
  const elements = [...form.elements];
  return elements.filter(
    (element): element is Control =>
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement,
  );
}

/** Lists the errors of a form with links to its fields, if there are several. */
export function ErrorSummary({ errors }: { errors: FieldErrors }) {
  const list = Object.entries(errors);
  if (list.length < 2) return null;
  return (
    <div className={`wide ${styles.summary}`}>
      <p>
        <strong>{list.length} fields need a correction:</strong>
      </p>
      <ul>
        {list.map(([name, message]) => (
          <li key={name}>
            <a
              href={`#${name}`}
              onClick={(event) => {
                // The address stays as it is, because a list reads its filters from it.
                event.preventDefault();
                const control = event.currentTarget.closest("form")?.elements.namedItem(name);
                if (control instanceof HTMLElement) control.focus();
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
