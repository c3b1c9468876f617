import { isUuid } from "../../supabase/is-uuid.ts";
import { fromLondonTime, toLondonTime } from "../../time/london-time.ts";
import type { Field, Words } from "../forms/fields.ts";
import { textOf } from "../forms/form-text.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day and time in London, stored as an instant; `time` names the control of the time. */
export function londonTime({ error, time, ...words }: Words & { error: string; time: string }): Field<string> {
  return {
    ...words,
    control: { kind: "input", attributes: { type: "date", required: true, max: "9999-12-31" } },
    parse(text, form) {
      const local = DAY.test(text) ? `${text}T${textOf(form, time)}` : text;
      if (text === "" || local.endsWith("T")) return { error };
      const instant = fromLondonTime(local);
      return instant
        ? { value: instant.toISOString() }
        : { error: "There is no such time in Britain: that day is not in the calendar, or the clocks skip that hour." };
    },
    format: (iso) => toLondonTime(new Date(iso)),
    show: (iso) => toLondonTime(new Date(iso)).replace("T", " "),
  };
}

/** A day without a time that may be empty, which is stored as null; `rule` returns an error or null. */
export function optionalDay({
  error,
  rule,
  ...words
}: Words & { error: string; rule?: (day: string, form: FormData) => string | null }): Field<string | null> {
  return {
    ...words,
    control: { kind: "input", attributes: { type: "date", max: "9999-12-31" } },
    parse(text, form) {
      if (text === "") return { value: null };
      const wrong = DAY.test(text) ? (rule?.(text, form) ?? null) : error;
      return wrong === null ? { value: text } : { error: wrong };
    },
    format: (value) => value ?? "",
    show: (day) => day ?? "empty",
  };
}

/** The id of another record or none, stored as null. The area provides the control and the text for the id. */
export function optionalId({ error, ...words }: Words & { error: string }): Field<string | null> {
  return {
    ...words,
    control: { kind: "select", options: {}, empty: "", attributes: {} },
    parse: (text) => (text === "" ? { value: null } : isUuid(text) ? { value: text } : { error }),
    format: (value) => value ?? "",
    show: (value) => value ?? "",
  };
}
