import { courseByName } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import { href, Link, useSearchParams } from "react-router";
import { browserClient } from "../../../supabase/supabase.client.ts";
import { teachingHours } from "../../../time/teaching-hours.ts";
import { Button } from "../../../ui/button.tsx";
import { Message } from "../../../ui/message.tsx";
import { dateInWords, listBookableDates, type DateWithTrainer } from "../../bookable-dates/bookable-date.ts";
import { placesInWords } from "../../bookable-dates/places.ts";
import { LoadStatus } from "../../frame/load-status.tsx";
import type { Loaded } from "../../frame/outcome.ts";
import { PageFrame } from "../../frame/page-frame.tsx";
import { useLoaded } from "../../frame/use-loaded.ts";
import { useUser } from "../../frame/use-user.ts";
import { accountInWords, listPeople, type StaffAccount } from "../../lists/people.ts";
import { loadedBy } from "../../lists/use-filters.ts";
import { useFollowChanges } from "../../live/use-follow-changes.ts";
import { readUser, requireSession } from "../../session/session.ts";
import { dayGroups, daysInWords, hasTwoHalves } from "./days.ts";
import { listOwnRegister, listRegister, type RegisterEntry } from "./queries.ts";
import styles from "./register.module.css";
import { SheetTable, type Line } from "./sheet-table.tsx";
import { SHEETS, sheetsOf } from "./sheets.ts";
import type { Route } from "./+types/register";

export const handle = { title: "Register" };

export const shouldRevalidate = loadedBy();

export async function clientLoader({ request, params: { dateId } }: Route.ClientLoaderArgs) {
  const supabase = browserClient();
  const { userId, role, name, email = "" } = await readUser(await requireSession(request));
  const own: Loaded<StaffAccount> = { ok: true, rows: [{ id: userId, name, email, state: "active" }] };
  return {
    dateId,
    date: listBookableDates(supabase, { id: dateId }),
    bookings: role === "trainer" ? listOwnRegister(supabase, dateId) : listRegister(supabase, dateId),
    // Trainers may not read the list of staff.
    people: role === "trainer" ? Promise.resolve(own) : listPeople(supabase),
  };
}

/** The register of a course date, to be printed as one of several sheets: a line for every place and a column for every day. */
export default function Register({ loaderData }: Route.ComponentProps) {
  const { dateId } = loaderData;
  const [search] = useSearchParams();
  const role = useUser()?.role;
  const dates = useLoaded(loaderData.date);
  const bookings = useLoaded(loaderData.bookings);
  const people = useLoaded(loaderData.people);
  useFollowChanges(["bookings", "course_dates"]);
  const failure = [dates, bookings, people].find((result) => result && (!result.ok || result.isOutdated));
  const date = dates?.ok ? dates.rows[0] : undefined;
  const lines = bookings?.ok ? bookings.rows.flatMap(linesOf) : [];
  const names = sheetsOf(role);
  const chosen = names.find((name) => name === search.get("sheet")) ?? names[0] ?? "signing";
  const sheet = SHEETS[chosen];
  const groups = date ? dayGroups(date) : [];
  return (
    <PageFrame title={sheet.label} action={date && <Button onClick={() => print()}>Print</Button>}>
      <LoadStatus result={failure ?? (dates && bookings && people)} />
      {dates?.ok && !date && (
        <Message>
          <p>This date does not exist any more.</p>
        </Message>
      )}
      {date && bookings?.ok && people?.ok && (
        <>
          <div className={styles.head}>
            <h2>{date.status === "cancelled" ? <s>{dateInWords(date)}</s> : dateInWords(date)}</h2>
            <Facts date={date} trainer={accountInWords(people.rows, date.trainer_id)} />
            <nav aria-label="Sheets" className={styles.sheets}>
              {names.map((name) => (
                <Link key={name} to={`?sheet=${name}`} replace preventScrollReset aria-current={name === chosen ? "page" : undefined}>
                  {SHEETS[name].label}
                </Link>
              ))}
              {role !== "trainer" && <Link to={`${href("/admin/bookings")}?date=${dateId}`}>Show bookings</Link>}
            </nav>
          </div>
          {lines.length === 0 && <p>Nobody has booked this date yet.</p>}
          {groups.map((group) => (
            <section key={group.first} className={styles.group}>
              {/* Each group is on a separate sheet of paper. */}
              {groups.length > 1 && (
                <h3>
                  {dateInWords(date)}: days {group.first} to {group.last} of {groups.at(-1)?.last}
                </h3>
              )}
              <SheetTable sheet={sheet} lines={lines} group={group} halves={hasTwoHalves(date)} />
            </section>
          ))}
        </>
      )}
    </PageFrame>
  );
}

/** The facts about the course date above the table. */
function Facts({ date, trainer }: { date: DateWithTrainer; trainer: string | null }) {
  const facts = [
    ["Days", daysInWords(date)],
    ["Hours", teachingHours(date)],
    ["Venue", courseByName(date.course_name)?.location ?? provider.venue],
    ["Trainer", trainer ?? ""],
    ["Places", placesInWords(date)],
  ] as const;
  return (
    <dl className={styles.facts}>
      {facts.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text === "" ? <span className={styles.blank}>nobody yet</span> : text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One line for each place: the customer first, then the guests. */
function linesOf(booking: RegisterEntry): Line[] {
  return Array.from({ length: booking.places }, (_, place) => ({
    key: `${booking.id}/${place}`,
    name: place === 0 ? booking.name : `Guest ${place} of ${booking.name}`,
    booking,
  }));
}
