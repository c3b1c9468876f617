import { useEffect, useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { WriteTo } from "../lists/selection/write-to.tsx";

interface SelectedDatesProps {
  /** The ids of the selected course dates. */
  ids: readonly string[];
}

/** The action on selected course dates: write to everybody who is booked on them and has an e-mail address. */
export default function SelectedDates({ ids }: SelectedDatesProps) {
  const [people, setPeople] = useState<readonly { email: string | null }[]>([]);
  const chosen = ids.join(",");

  useEffect(() => {
    let isCurrent = true;
    void browserClient()
      .from("bookings")
      .select("email")
      .in("course_id", chosen.split(","))
      .eq("status", "active")
      .not("email", "is", null)
      .then(({ data }) => isCurrent && setPeople(data ?? []));
    return () => {
      isCurrent = false;
    };
  }, [chosen]);

  return <WriteTo people={people} />;
}
