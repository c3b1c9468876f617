import { severalDays } from "content/course-names.ts";
import { lastDayOf } from "site/app/time/last-day.ts";
import { addDays, londonToday } from "site/app/time/london-time.ts";
import { z } from "zod";
import { callDatabase } from "../running-server.ts";

const number = z.int();
const reportSchema = z.object({
  erased: z.object({ bookings: number, enquiries: number, waiting_list: number, letters: number, changed_records: number }),
  kept: z.object({ contract: number, accounts: number, enquiries: number }),
});

/**
 * Erases the data about the holder of an e-mail address or phone number that no law requires to be kept; without `confirmed` it only counts.
 * Fails with a `StartError`.
 */
export async function erasePerson(contact: string, { confirmed }: { confirmed: boolean }): Promise<string> {
  const values = { contact, only_count: !confirmed, running_since: runningSince(londonToday(Date.now())) };
  const { erased, kept } = reportSchema.parse(await callDatabase("erase_person", values));
  const { bookings, enquiries, waiting_list, letters, changed_records } = erased;
  return [
    confirmed ? "Erased:" : "Would be erased:",
    `  bookings: ${bookings}`,
    `  enquiries: ${enquiries}`,
    `  entries of waiting lists: ${waiting_list}`,
    `  letters: ${letters}`,
    `  records whose values in the change log are emptied: ${changed_records}`,
    confirmed ? "Kept:" : "Would be kept:",
    `  ${kept.contract} bookings of courses that run now or later: needed for the contract (UK GDPR, Article 6(1)(b)). Cancel them first to erase them.`,
    `  ${kept.accounts} bookings, with the name, without e-mail address, phone number and note, until six years after the end of their`,
    "    financial year (31 March): records behind the accounts (Finance Act 1998, Schedule 18, paragraph 21; Value Added Tax Act 1994,",
    "    Schedule 11, paragraph 6). A duty under law goes before erasure (UK GDPR, Article 17(3)(b)). Registers of attendance must be kept for",
    "    three years for the awarding organisation.",
    `  ${kept.enquiries} enquiries from which a booking came that is needed for the contract, or that is another person's. Delete them in the portal, under Enquiries,`,
    "    if nobody needs them for it.",
    "Accounts of staff stay: remove them in the portal, under Staff. Backups of each night have the data for up to five more weeks, the copy of the",
    "last upgrade (DATA_DIR/before-upgrade) for a week, what a killed backup left (DATA_DIR/snapshots, TMPDIR) until the next day, and backups that",
    "you made yourself until you remove them; after a restore, erase again.",
    ...(confirmed ? [] : ["Nothing was changed. Run it again with --confirm to erase."]),
  ].join("\n");
}

/** The earliest first day of each longer course that still runs today, if the office did not set its last day. */
function runningSince(today: string): Record<string, string> {
  const since = Object.keys(severalDays).map((course_name) => {
    const runs = (first: string): boolean => lastDayOf({ course_name, course_date: `${first}T12:00Z`, end_date: null }) >= today;
    let first = today;
    while (runs(addDays(first, -1))) first = addDays(first, -1);
    return [course_name, first] as const;
  });
  return Object.fromEntries(since);
}
