import { useNavigate } from "react-router";
import { SelectField } from "../../ui/field.tsx";
import { dateInWords, type BookableDate } from "../bookable-dates/bookable-date.ts";

interface DateChooserProps {
  dates: readonly BookableDate[];
  dateId: string | null;
  all: boolean;
}

/** Chooses the course dates whose bookings are listed. The choice is in the URL, so links and reloads keep it. */
export function DateChooser({ dates, dateId, all }: DateChooserProps) {
  const navigate = useNavigate();
  return (
    <div className="scope">
      <SelectField
        id="scope"
        label="Bookings of"
        standalone
        value={dateId ?? (all ? "all" : "")}
        onChange={({ currentTarget: { value } }) => void navigate(addressOf(value), { replace: true })}
      >
        <option value="">The last 30 days and upcoming</option>
        <option value="all">All</option>
        {dates.map((date) => (
          <option key={date.id} value={date.id}>
            {dateInWords(date)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

function addressOf(value: string): string {
  if (value === "") return "/admin/bookings";
  return value === "all" ? "/admin/bookings?when=all" : `/admin/bookings?date=${value}`;
}
