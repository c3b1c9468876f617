import { useState } from "react";
import { href, Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import { counted } from "../frame/counted.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import styles from "./arrivals.module.css";
import type { NewEnquiry, Part } from "./today-queries.ts";

interface Arrivals {
  /** The last list, to recognise the next one. */
  listed: readonly NewEnquiry[] | null;
  /** The time of the newest enquiry so far, as ISO text. */
  newest: string;
  /** The new enquiries that came while the page was open. */
  arrived: readonly NewEnquiry[];
}

/** A quiet notice about new enquiries that came while the page was open, until they are handled or the notice is hidden. */
export function ArrivalNotice({ enquiries }: { enquiries: Promise<Part<NewEnquiry>> }) {
  const result = useLoaded(enquiries);
  const [arrivals, setArrivals] = useState<Arrivals>({ listed: null, newest: "", arrived: [] });
  if (result?.ok && result.rows !== arrivals.listed) setArrivals(after(arrivals, result.rows));
  const [latest, ...others] = arrivals.arrived;
  const hide = (): void => setArrivals({ ...arrivals, arrived: [] });
  return (
    <div className={latest && styles.notice}>
      <p role="status">
        {latest && (others.length === 0 ? inWords(latest) : `${others.length + 1} new enquiries, the latest from ${latest.name}`)}
      </p>
      {latest && (
        <div className="row">
          <Link to={`${href("/admin/enquiries")}?${others.length === 0 ? `open=${latest.id}` : "status=new"}`}>
            {others.length === 0 ? "Open" : "Show them"}
          </Link>
          <Button look="plain" size="small" onClick={hide}>
            Hide
          </Button>
        </div>
      )}
    </div>
  );
}

/** Adds the enquiries of a list, the newest first, that came after all earlier ones. */
function after({ listed, newest, arrived }: Arrivals, rows: readonly NewEnquiry[]): Arrivals {
  // An older enquiry may move up after another was handled.
  const added = listed === null ? [] : rows.filter(({ created_at }) => created_at > newest);
  const waiting = arrived.filter(({ id }) => rows.some((row) => row.id === id));
  return {
    listed: rows,
    newest: rows.reduce((last, { created_at }) => (created_at > last ? created_at : last), newest),
    arrived: [...added, ...waiting],
  };
}

/** "New enquiry from Ada Fell", "New request from Ada Fell: 2 places, Lvl 2 CCTV" */
function inWords({ name, places, course_name }: NewEnquiry): string {
  return places === null ? `New enquiry from ${name}` : `New request from ${name}: ${counted(places, "place")}, ${course_name}`;
}
