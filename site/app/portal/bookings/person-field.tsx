import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { TextField } from "../../ui/field.tsx";
import { counted } from "../frame/counted.ts";
import styles from "./person-field.module.css";
import { bookingFields, type Person } from "./fields.ts";

interface PersonFieldProps {
  id: string;
  name: string;
  defaultValue: string | undefined;
  error: string | undefined;
  find: (words: string) => Promise<Person[]>;
}

const FEWEST_LETTERS = 2;
const PAUSE_MS = 150;

/** The name of the customer. It suggests people who booked before; choosing one fills in their contact data. */
export function PersonField({ find, ...rest }: PersonFieldProps) {
  const [words, setWords] = useState("");
  const [people, setPeople] = useState<readonly Person[]>([]);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (tooShort(words)) return;
    let current = true;
    const timer = setTimeout(() => {
      void find(words).then((found) => {
        if (current) setPeople(found);
      });
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [words, find]);

  /** Searches for a text, or closes the list for an empty one, also to suggestions that are still loading. */
  function type(text: string): void {
    setWords(text);
    if (tooShort(text)) setPeople([]);
  }

  function choose(person: Person): void {
    const form = box.current?.closest("form");
    if (!form) return;
    for (const [field, value] of Object.entries(person)) fill(form, field, value ?? "");
    type("");
    const next = form.elements.namedItem("find_date");
    if (next instanceof HTMLElement) next.focus();
  }

  function step(event: KeyboardEvent<HTMLElement>): void {
    if (people.length === 0) return;
    if (event.key === "Escape") {
      // The form stays open.
      event.preventDefault();
      // A suggestion that has the focus is removed.
      box.current?.querySelector("input")?.focus();
      type("");
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const stops = [...(box.current?.querySelectorAll<HTMLElement>("input, button") ?? [])];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops[(at + by + stops.length) % stops.length]?.focus();
  }

  return (
    <div ref={box} className={styles.person}>
      <TextField
        {...rest}
        hint="Or a phone number or company. Arrow down: people who booked before."
        {...bookingFields.name.control.attributes}
        label={bookingFields.name.label}
        onKeyDown={step}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <p role="status" className="visually-hidden">
        {people.length > 0 && `${counted(people.length, "suggestion")}; press the down arrow`}
      </p>
      {people.length > 0 && (
        <ul className={styles.people} aria-label="People who booked before">
          {people.map((person) => (
            <li key={[person.name, person.email, person.phone, person.company].join("\n")}>
              {/* Arrow keys reach it; Tab goes to the next field. */}
              <button type="button" tabIndex={-1} className={styles.choice} onKeyDown={step} onClick={() => choose(person)}>
                <strong>{person.name}</strong> {[person.company, person.phone, person.email].filter(Boolean).join(" · ")}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function tooShort(words: string): boolean {
  return words.trim().length < FEWEST_LETTERS;
}

/** Fills a field and fires the input event, so that the unsaved input is stored. */
function fill(form: HTMLFormElement, field: string, value: string): void {
  const control = form.elements.namedItem(field);
  if (!(control instanceof HTMLInputElement)) return;
  control.value = value;
  control.dispatchEvent(new Event("input", { bubbles: true }));
}
