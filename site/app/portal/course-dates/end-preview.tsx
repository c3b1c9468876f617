import { useEffect, useRef, useState } from "react";
import { DAY_MS } from "../../time/durations.ts";
import { lastDayOf, MOST_DAYS, runningDays } from "../../time/last-day.ts";
import { londonDate } from "../../time/london-date.ts";
import { parseForm } from "../forms/fields.ts";
import { counted } from "../frame/counted.ts";
import { courseDateFields } from "./fields.ts";

const { course_name, course_date, end_date } = courseDateFields;

/** Shows when the course date of the form ends: "Ends Thu 10 December, 8 days." */
export function EndPreview() {
  const line = useRef<HTMLParagraphElement>(null);
  const [text, setText] = useState("");

  useEffect(() => {
    const form = line.current?.closest("form");
    if (!form) return;
    const update = (): void => setText(endInWords(new FormData(form)));
    update();
    form.addEventListener("input", update);
    return () => form.removeEventListener("input", update);
  }, []);

  return (
    <p ref={line} role="status" className="soft">
      {text}
    </p>
  );
}

function endInWords(form: FormData): string {
  const checked = parseForm({ course_name, course_date, end_date }, form);
  if (!checked.ok) return "";
  const last = lastDayOf(checked.value);
  const { weekday, long } = londonDate(last);
  const ends = `Ends ${weekday} ${long.split(" ").slice(1, 3).join(" ")}`;
  const isLong = Date.parse(last) - Date.parse(checked.value.course_date) > MOST_DAYS * DAY_MS;
  return isLong ? `${ends} ${last.slice(0, 4)}.` : `${ends}, ${counted(runningDays(checked.value).length, "day")}.`;
}
