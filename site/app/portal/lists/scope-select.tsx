import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { SelectField } from "../../ui/field.tsx";

interface ScopeSelectProps {
  label: string;
  /** The records that are listed without a choice. */
  recent: string;
  /** Labels of further choices by their value in the URL. */
  choices?: Readonly<Record<string, string>>;
  /** The id of the chosen course date. */
  dateId?: string | null;
  /** Further options: course dates by id. */
  children?: ReactNode;
}

/** Chooses the records that a list reads. The choice is in the URL, so links and reloads keep it. */
export function ScopeSelect({ label, recent, choices, dateId = null, children }: ScopeSelectProps) {
  const [search, setSearch] = useSearchParams();
  const whens: Readonly<Record<string, string>> = { "": recent, ...choices, all: "All" };
  const when = search.get("when") ?? "";
  function set(value: string): void {
    const next = new URLSearchParams(search);
    next.delete("when");
    next.delete("date");
    if (value !== "") next.set(value in whens ? "when" : "date", value);
    setSearch(next, { replace: true });
  }
  return (
    <SelectField
      id="scope"
      label={label}
      standalone
      value={dateId ?? (when in whens ? when : "")}
      onChange={(event) => set(event.currentTarget.value)}
    >
      {Object.entries(whens).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
      {children}
    </SelectField>
  );
}
