/** The search and the filters of a list. */
export interface ListFilter<Row> {
  /** The searched properties in words. */
  hint: string;
  text: (row: Row) => string;
  /** A number that is found with any spacing, such as a phone number. */
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
  const words = (narrowed["words"] ?? "").trim().toLowerCase();
  const number = words.replaceAll(/[\s().+-]/g, "");
  const parts = words.split(/\s+/);
  if (words === "" && chosen.length === 0) return rows;

  const hasNumber = (row: Row): boolean =>
    digits !== undefined && /^\d+$/.test(number) && digits(row).replaceAll(/\D/g, "").includes(number);
  const hasWords = (row: Row): boolean => {
    const all = text(row).toLowerCase();
    return parts.every((part) => all.includes(part));
  };
  return rows.filter(
    (row) => chosen.every(({ name, of }) => of(row) === narrowed[name]) && (words === "" || hasNumber(row) || hasWords(row)),
  );
}
