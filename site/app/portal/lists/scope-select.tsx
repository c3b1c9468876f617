import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { SelectField } from "../../ui/field.tsx";

interface ScopeSelectProps {
  label: string;
  /** The records that are listed without a choice. */
  recent: string;
  /** The id of the chosen course date. */
  dateId?: string | null;
  /** Further options: course dates by id. */
  children?: ReactNode;
}

/** Chooses the records that a list reads. The choice is in the URL, so links and reloads keep it. */
export function ScopeSelect({ label, recent, dateId = null, children }: ScopeSelectProps) {
  const [search, setSearch] = useSearchParams();
  const set = (value: string): void =>
    setSearch(value === "" ? {} : value === "all" ? { when: "all" } : { date: value }, { replace: true });
  return (
    <div className="scope">
      <SelectField
        id="scope"
        label={label}
        standalone
        value={dateId ?? (search.get("when") === "all" ? "all" : "")}
        onChange={(event) => set(event.currentTarget.value)}
      >
        <option value="">{recent}</option>
        <option value="all">All</option>
        {children}
      </SelectField>
    </div>
  );
}
