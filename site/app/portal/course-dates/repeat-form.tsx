import { useEffect, useRef, useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { londonDate } from "../../time/london-date.ts";
import { londonToday, toLondonTime } from "../../time/london-time.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Options } from "../forms/options.tsx";
import { PortalForm, type FormState, type SubmittedForm } from "../forms/portal-form.tsx";
import { counted } from "../frame/counted.ts";
import type { Checked } from "../frame/outcome.ts";
import type { CourseDateValues } from "./fields.ts";
import { datesOfRunningCourse, startsOf } from "./odd-dates.ts";
import { COPIED, isDayField, repeatedDates } from "./repeat.ts";
import { dayMarks, daysByRule, MOST_REPEATS, repeatRules } from "./repeat-days.ts";
import styles from "./repeat-form.module.css";

interface RepeatFormProps extends SubmittedForm {
  /** The course date in words. */
  what: string;
  about: string;
  row: CourseDateValues;
}

/** The form that repeats a course date: by a rule, whose days can be changed, or on chosen days. */
export function RepeatForm({ what, row, ...rest }: RepeatFormProps) {
  return (
    <PortalForm
      name={`Repeat ${what}`}
      label="Add dates"
      busyLabel="Adding..."
      begin={{ how: "1", times: "4" }}
      addsRecord
      titled
      checksFields
      takesFocus
      {...rest}
    >
      {(state) => (
        <>
          <p className="wide">
            Repeats <strong>{what}</strong>: the same {COPIED}, without bookings.
          </p>
          <Fields state={state} row={row} />
        </>
      )}
    </PortalForm>
  );
}

/** The dates that the form adds with these values. */
function datesOf(row: CourseDateValues, how: string, times: string, days: readonly string[]): Checked<CourseDateValues[]> {
  const form = new FormData();
  form.set("how", how);
  form.set("times", times);
  for (const [index, day] of days.entries()) form.set(`day-${index + 1}`, day);
  return repeatedDates(row, form);
}

function firstDayOf({ course_date }: CourseDateValues): string {
  return toLondonTime(new Date(course_date)).slice(0, 10);
}

function Fields({ state: { value, field }, row }: { state: FormState; row: CourseDateValues }) {
  const firstDay = firstDayOf(row);
  const [how, setHow] = useState(value["how"] ?? "1");
  const [times, setTimes] = useState(value["times"] ?? "");
  const [days, setDays] = useState(() => {
    const restored = Object.keys(value).filter(isDayField);
    return restored.length > 0 ? restored.map((name) => value[name] ?? "") : (daysByRule(firstDay, how, times) ?? []);
  });
  const [filled, setFilled] = useState(0);
  const [focused, setFocused] = useState("");
  const marks = useMarks(row, days);
  const dates = datesOf(row, how, times, days);
  const list = useRef<HTMLDivElement>(null);

  // The form stores its input at this event.
  useEffect(() => {
    if (filled > 0) list.current?.closest("form")?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [filled]);
  useEffect(() => {
    if (focused !== "") document.getElementById(focused)?.focus();
  }, [focused]);

  function fillIn(rule: string, count: string): void {
    setHow(rule);
    setTimes(count);
    setDays(rule === "days" ? [""] : (daysByRule(firstDay, rule, count) ?? []));
    setFilled(filled + 1);
  }

  function addDay(): void {
    setDays([...days, ""]);
    setFocused(`day-${days.length + 1}`);
  }

  return (
    <>
      <SelectField id="how" name="how" label="When" required value={how} onChange={(event) => fillIn(event.currentTarget.value, times)}>
        <Options labels={repeatRules(firstDay)} />
      </SelectField>
      {how === "days" ? (
        <input type="hidden" name="times" value={times} />
      ) : (
        <TextField
          id="times"
          name="times"
          error={field("times").error}
          label="How many more"
          type="number"
          inputMode="numeric"
          required
          min={1}
          max={MOST_REPEATS}
          step={1}
          value={times}
          onChange={(event) => fillIn(how, event.currentTarget.value)}
        />
      )}
      <div ref={list} className={`wide ${styles.days}`}>
        {days.map((day, index) => {
          const name = `day-${index + 1}`;
          return (
            <TextField
              key={name}
              id={name}
              name={name}
              error={field(name).error}
              label={`Day ${index + 1}`}
              hint={<Hint day={day} marks={marks.get(day) ?? []} />}
              type="date"
              required={how === "days" && index === 0}
              max="9999-12-31"
              value={day}
              onChange={(event) => setDays(days.with(index, event.currentTarget.value))}
            />
          );
        })}
      </div>
      {days.length < MOST_REPEATS && (
        <div className="wide">
          <Button look="plain" onClick={addDay}>
            Another day
          </Button>
        </div>
      )}
      <p role="status" className="wide">
        {dates.ok && `Adds ${counted(dates.value.length, "date")}: ${startsOf(dates.value).join(", ")}.`}
      </p>
    </>
  );
}

function Hint({ day, marks }: { day: string; marks: readonly string[] }) {
  if (day === "") return "Empty: no date.";
  return (
    <>
      {londonDate(day).weekday}{" "}
      {marks.map((mark) => (
        <span key={mark} className="chip" data-tone="waiting">
          {mark}
        </span>
      ))}
    </>
  );
}

/** Returns the marks of the days, by day. */
function useMarks(row: CourseDateValues, days: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const [today] = useState(() => londonToday(Date.now()));
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set());
  const chosen = days.filter((day) => day !== "").join(" ");

  useEffect(() => {
    const dates = datesOf(row, "days", "", chosen.split(" "));
    if (!dates.ok) return;
    let isCurrent = true;
    void datesOfRunningCourse(browserClient(), dates.value).then((clashes) => isCurrent && setRunning(new Set(clashes.map(firstDayOf))));
    return () => {
      isCurrent = false;
    };
  }, [chosen, row]);

  const marksOf = (day: string): string[] => [...dayMarks(day, today), ...(running.has(day) ? ["this course already runs"] : [])];
  return new Map(days.map((day) => [day, day === "" ? [] : marksOf(day)]));
}
