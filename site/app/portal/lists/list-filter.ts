/** How a list can be narrowed by its reader. */
export interface ListFilter<Row> {
  /** What the search looks at, in words. */
  hint: string;
  text: (row: Row) => string;
  /** A number that is found however it is spaced, such as that of a phone. */
  digits?: (row: Row) => string;
  choices?: readonly FilterChoice<Row>[];
  /** What is chosen at first where there are more rows than are shown at once. */
  first?: Narrowed;
}

/** A choice of one value beside the search. */
export interface FilterChoice<Row> {
  name: string;
  label: string;
  /** What each value is called. */
  labels: Readonly<Record<string, string>>;
  of: (row: Row) => string;
}

/** What a list is narrowed to: the words of the search as `words`, and each choice by its name; absent or empty where it is not. */
export type Narrowed = Readonly<Record<string, string>>;

/** The rows that have every word somewhere, or the number without its spaces, and what was chosen. */
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
