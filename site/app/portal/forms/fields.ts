import { refused, type Checked } from "../frame/outcome.ts";
import { lengthOf, textOf } from "./form-text.ts";
import type { FormValues } from "./unsaved-form.ts";

/** One editable field of a record: form, validation, labels of changes, CSV and repetition derive from it. */
export interface Field<Value> {
  label: string;
  hint?: string;
  control: Control;
  /** Text in the form of a new record. */
  initial?: string;
  parse: (text: string, form: FormData) => Parsed<Value>;
  /** Converts a value to the text in the form. */
  format: (value: Value) => string;
  /** Converts a value to text for people. */
  show: (value: Value) => string;
}

/** The fields of a record by column, in the order of the form. */
export type Fields<Values> = { readonly [Column in keyof Values]: Field<Values[Column]> };

/** The values of a set of fields, as the table stores them. */
export type ValuesOf<Set> = { [Column in keyof Set]: Set[Column] extends Field<infer Value> ? Value : never };

/** The form control of a field, with its HTML attributes. */
type Control =
  | { kind: "input" | "textarea"; attributes: Attributes }
  | { kind: "select"; options: Options; empty: string | null; attributes: Attributes };

type Attributes = Readonly<Record<string, string | number | boolean>>;
type Options = Readonly<Record<string, string>>;
type Parsed<Value> = { value: Value } | { error: string };

/** The texts of a field. */
export interface Words {
  label: string;
  hint?: string;
  initial?: string;
}

interface TextWords extends Words {
  max: number;
  type?: "text" | "tel" | "email";
  /** Number of lines; a single-line input without it. */
  rows?: number;
  /** A rule beyond the length, and its error. */
  rule?: { test: (text: string) => boolean; error: string };
}

/** A required text; `error` is shown if it is empty. */
export function requiredText({ error, ...words }: TextWords & { error: string }): Field<string> {
  const { label, max, rule } = words;
  return {
    ...textWords(words, true),
    parse: (text) => (text === "" ? { error } : (textError(text, label, max, rule) ?? { value: text })),
    format: asIs,
    show: (text) => text || "empty",
  };
}

/** A text that may be empty, which is stored as null. */
export function optionalText(words: TextWords): Field<string | null> {
  const { label, max, rule } = words;
  return {
    ...textWords(words, false),
    parse: (text) => (text === "" ? { value: null } : (textError(text, label, max, rule) ?? { value: text })),
    format: orEmpty,
    show: (value) => value ?? "empty",
  };
}

/** One of several values; `empty` is the label of the option before anything is chosen. */
export function choice({
  options,
  error,
  empty = null,
  ...words
}: Words & { options: Options; error: string; empty?: string | null }): Field<string> {
  return {
    ...words,
    control: { kind: "select", options, empty, attributes: { required: true } },
    parse: (text) => (Object.hasOwn(options, text) ? { value: text } : { error }),
    format: asIs,
    show: (value) => options[value] ?? value,
  };
}

/** One of several values or none, stored as null; `require` returns an error if the form needs a value. */
export function optionalChoice({
  options,
  error,
  empty,
  require,
  ...words
}: Words & { options: Options; error: string; empty: string; require?: (form: FormData) => string | null }): Field<string | null> {
  return {
    ...words,
    control: { kind: "select", options, empty, attributes: {} },
    parse(text, form) {
      if (text !== "") return Object.hasOwn(options, text) ? { value: text } : { error };
      const missing = require?.(form) ?? null;
      return missing === null ? { value: null } : { error: missing };
    },
    format: orEmpty,
    show: (value) => (value === null ? "empty" : (options[value] ?? value)),
  };
}

/** A whole number in a range. */
export function wholeNumber({ min, max, error, ...words }: Words & { min: number; max: number; error: string }): Field<number> {
  return {
    ...words,
    control: { kind: "input", attributes: { type: "number", inputMode: "numeric", required: true, min, max, step: 1 } },
    parse(text) {
      const value = Number(text);
      return text === "" || !Number.isInteger(value) || value < min || value > max ? { error } : { value };
    },
    format: String,
    show: String,
  };
}

/** Validates a form and reports every wrong field; a field that the form does not show has its initial value. */
export function parseForm<Values extends object>(fields: Fields<Values>, form: FormData): Checked<Values> {
  const value: Partial<Values> = {};
  const errors: [name: string, error: string][] = [];
  for (const name in fields) {
    const { parse, initial = "" } = fields[name];
    const parsed = parse(form.has(name) ? textOf(form, name) : initial, form);
    if ("error" in parsed) errors.push([name, parsed.error]);
    else value[name] = parsed.value;
  }
  const first = errors[0];
  if (first) {
    const refusal = refused(first[1], first[0]);
    return errors.length === 1 ? refusal : { ...refusal, errors: Object.fromEntries(errors) };
  }
  return isComplete(fields, value) ? { ok: true, value } : refused("Some fields are missing.");
}

/** The values of a row as text for its form. */
export function formValues<Values extends object>(fields: Fields<Values>, row: NoInfer<Values>): FormValues {
  const values: Record<string, string> = {};
  for (const name in fields) values[name] = fields[name].format(row[name]);
  return values;
}

/** The initial text of the form of a new record. */
export function initialValues<Values extends object>(fields: Fields<Values>): FormValues {
  const values: Record<string, string> = {};
  for (const name in fields) values[name] = fields[name].initial ?? "";
  return values;
}

/** The editable values of a row, to repeat it. */
export function editableValues<Values extends object>(fields: Fields<Values>, row: NoInfer<Values>): Values {
  const value: Partial<Values> = {};
  for (const name in fields) value[name] = row[name];
  if (!isComplete(fields, value)) throw new Error("The row lacks a field");
  return value;
}

/** The values of a row in words, by label; null for a value that is not set. */
export function valuesInWords<Values extends object>(fields: Fields<Values>, row: NoInfer<Values>): Record<string, string | null> {
  const words: Record<string, string | null> = {};
  for (const name in fields) words[fields[name].label] = row[name] === null ? null : fields[name].show(row[name]);
  return words;
}

function isComplete<Values extends object>(fields: Fields<Values>, value: Partial<Values>): value is Values {
  return Object.keys(fields).every((name) => name in value);
}

function textWords({ label, hint, initial, max, type = "text", rows }: TextWords, required: boolean) {
  const own = { maxLength: max, required };
  const control: Control =
    rows === undefined
      ? { kind: "input", attributes: { type, autoComplete: "off", ...own } }
      : { kind: "textarea", attributes: { rows, ...own } };
  return { label, control, ...(hint === undefined ? {} : { hint }), ...(initial === undefined ? {} : { initial }) };
}

function textError(text: string, label: string, max: number, rule: TextWords["rule"]): { error: string } | null {
  if (lengthOf(text) > max) return { error: `Shorten the ${label.toLowerCase()} to ${max} characters.` };
  return rule && !rule.test(text) ? { error: rule.error } : null;
}

function asIs(text: string): string {
  return text;
}

function orEmpty(text: string | null): string {
  return text ?? "";
}

/** A text with its own control: the label and format of its changes. */
export function labelled(label: string): Pick<Field<string | null>, "label" | "format" | "show"> {
  return { label, format: orEmpty, show: (value) => value || "empty" };
}
