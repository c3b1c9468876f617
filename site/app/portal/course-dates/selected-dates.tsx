import { useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { LoadStatus } from "../frame/load-status.tsx";
import { useLoaded } from "../frame/use-loaded.ts";
import { WriteTo } from "../lists/selection/write-to.tsx";
import { listBooked } from "./queries.ts";

interface SelectedDatesProps {
  /** The ids of the selected course dates; other ids need another React key. */
  ids: readonly string[];
}

/** The action on selected course dates: write to everybody who is booked on them and has an e-mail address. */
export default function SelectedDates({ ids }: SelectedDatesProps) {
  const [loading, load] = useState(() => listBooked(browserClient(), ids));
  const people = useLoaded(loading);
  return people?.ok ? (
    <WriteTo people={people.rows} />
  ) : (
    <LoadStatus result={people} retry={() => load(listBooked(browserClient(), ids))} />
  );
}
