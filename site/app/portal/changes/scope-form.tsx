import { useEffect, useRef } from "react";
import { Link, useNavigate } from "react-router";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Options } from "../forms/options.tsx";
import { nameOf, type StaffPerson } from "../lists/people.ts";
import { KINDS, MACHINES, type ChangeScope } from "../history/change.ts";
import { addressOf } from "./scope.ts";
import styles from "./changes.module.css";

/** There are no changes before this day. */
const FIRST_DAY = "2020-01-01";

interface ScopeFormProps {
  scope: ChangeScope;
  people: readonly StaffPerson[];
}

/** The filters of the list; they are in the URL, so links and reloads keep them. */
export function ScopeForm({ scope, people }: ScopeFormProps) {
  const navigate = useNavigate();
  const known = people.map(({ email }) => email);
  // A link may name a person whose account was removed.
  const emails = scope.who === "" || scope.who in MACHINES || known.includes(scope.who) ? known : [...known, scope.who];
  const set = (change: Partial<ChangeScope>): void => void navigate(addressOf(scope, change), { replace: true });
  return (
    <>
      <search className={styles.scope}>
        <SelectField id="kind" label="What" standalone value={scope.kind} onChange={(event) => set({ kind: event.currentTarget.value })}>
          <option value="">Everything</option>
          <Options labels={KINDS} />
        </SelectField>
        <SelectField id="who" label="Who" standalone value={scope.who} onChange={(event) => set({ who: event.currentTarget.value })}>
          <option value="">Everybody</option>
          {emails.map((email) => (
            <option key={email} value={email}>
              {nameOf(people, email)}
            </option>
          ))}
          <Options labels={MACHINES} />
        </SelectField>
        {(["from", "to"] as const).map((name) => (
          <DayField key={name} id={name} label={name === "from" ? "From" : "To"} day={scope[name]} choose={(day) => set({ [name]: day })} />
        ))}
      </search>
      {(scope.record !== "" || scope.before !== "") && (
        <p className={styles.narrowed}>
          {scope.record !== "" && "The history of one record. "}
          {scope.before !== "" && "Earlier changes only. "}
          <Link to={addressOf(scope, { record: "" })}>{scope.record === "" ? "Back to the latest" : "Show all changes"}</Link>
        </p>
      )}
    </>
  );
}

interface DayFieldProps {
  id: string;
  label: string;
  day: string;
  choose: (day: string) => void;
}

/** A day that can be typed: as a controlled input it would lose the first digits of a year. */
function DayField({ day, choose, ...field }: DayFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A link may have changed the scope. While somebody types, the day may be one that they chose before.
    if (input.current && input.current !== document.activeElement) input.current.value = day;
  }, [day]);
  return (
    <TextField
      {...field}
      ref={input}
      type="date"
      standalone
      max="9999-12-31"
      defaultValue={day}
      onChange={({ currentTarget: { value } }) => {
        // While a year is typed, the value has a year such as 0002.
        if (value === "" || value >= FIRST_DAY) choose(value);
      }}
    />
  );
}
