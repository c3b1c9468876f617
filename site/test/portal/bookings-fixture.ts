import type { Booking } from "../../app/portal/bookings/fields.ts";
import { listBookings, type Scope } from "../../app/portal/bookings/queries.ts";
import type { StaffProject } from "../support/staff-project.ts";

/** Lists bookings as the portal does. */
export async function listedBookings({ staff }: StaffProject, scope: Scope = "all"): Promise<readonly Booking[]> {
  const answer = await listBookings(staff, scope);
  if (!answer.ok) throw new Error(answer.message);
  return answer.rows;
}

/** Adds a booking to a course date; returns it as the portal lists it. */
export async function storedBooking(project: StaffProject, date: string, values: object = {}): Promise<Booking> {
  const id = await project.book(date, values);
  const row = (await listedBookings(project)).find((each) => each.id === id);
  if (!row) throw new Error("The booking is not listed");
  return row;
}
