/** The search and the filters of a list. */
export interface ListFilter<Row> {
  /** The searched properties in words. */
  hint: string;
  text: (row: Row) => string;
  /** A phone number, which is found in any form. */
  digits?: (row: Row) => string;
  choices?: readonly FilterChoice<Row>[];
  /** The initial filter of a list with more rows than are shown at once. */
  first?: Narrowed;
}

/** A filter by one value. */
export interface FilterChoice<Row> {
  name: string;
  label: string;
  /** The label of each value. */
  labels: Readonly<Record<string, string>>;
  of: (row: Row) => string;
}

/** The search text as `words` and the chosen value of each filter by its name; empty or missing if not chosen. */
export type Narrowed = Readonly<Record<string, string>>;

/** Returns the rows that contain every word, or the number, and have the chosen values. */
export function narrow<Row>(rows: readonly Row[], filter: ListFilter<Row>, narrowed: Narrowed): readonly Row[] {
  const { text, digits, choices = [] } = filter;
  const chosen = choices.filter(({ name }) => (narrowed[name] ?? "") !== "");
  const words = searched((narrowed["words"] ?? "").trim());
  const number = words.replaceAll(/[\s().+-]/g, "");
  const parts = words.split(/\s+/);
  if (words === "" && chosen.length === 0) return rows;

  const isNumber = /^\d+$/.test(number);
  const hasNumber = (row: Row): boolean => {
    const stored = digits && isNumber ? nationalNumber(digits(row)) : "";
    // The digits may also be the last ones.
    return stored !== "" && (stored.includes(number) || stored.startsWith(nationalNumber(number)));
  };
  const hasWords = (row: Row): boolean => {
    const all = searched(text(row));
    return parts.every((part) => all.includes(part));
  };
  return rows.filter(
    (row) => chosen.every(({ name, of }) => of(row) === narrowed[name]) && (words === "" || hasNumber(row) || hasWords(row)),
  );
}

/** Lower case and without apostrophes, so that "oneill" finds O'Neill. */
function searched(text: string): string {
  return text.toLowerCase().replaceAll(/['’‘`]/g, "");
}

/** The national form of a British number, else the digits with the country code; as `private.phone_digits` in the database. */
function nationalNumber(text: string): string {
  const digits = text.replaceAll(/\D/g, "");
  return digits.replace(/^00/, "").replace(/^440?/, "0");
}
