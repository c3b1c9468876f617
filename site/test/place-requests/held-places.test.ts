import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { sendIntoLock } from "../support/at-the-same-time.ts";
import { noon, setClock } from "../support/clock.ts";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

describeDatabases("held places", (open) => {
  let own: StaffProject;
  beforeAll(async () => {
    own = await openStaffProject(open);
  });
  beforeEach(async () => {
    await own.sql("truncate private.rate_limit_counts");
    await own.empty();
    await setClock(own.project, noon());
    await holdFor(48);
  });

  async function holdFor(hours: number | null): Promise<void> {
    const { error } = await own.staff.rpc("set_hold_hours", { hours });
    if (error) throw error;
  }

  async function requestPlaces(
    course_id: string,
    places = 1,
    id: string = crypto.randomUUID(),
  ): Promise<{ id: string; outcome: string; held_until: string }> {
    const values = { id, course_id, name: "Ada Fell", email: `${id}@mail.example`, places };
    const { data, error } = await own.project.service.rpc("request_place", values);
    if (error) throw error;
    return { id, ...data };
  }

  async function placesLeft(id: string): Promise<number> {
    const { data } = await own.staff.from("course_dates").select("places_left").eq("id", id).single();
    return data?.places_left;
  }

  async function enquiry(id: string): Promise<{ held_until: string | null; updated_at: string; status: string }> {
    const { data, error } = await own.staff.from("enquiries").select("held_until, updated_at, status").eq("id", id).single();
    if (error) throw error;
    return data;
  }

  const release = () => own.project.service.rpc("release_holds");

  test("a request holds its places for the hours that the office chose, also if the sender retries", async () => {
    const date = await own.addDate();
    const { id, outcome } = await requestPlaces(date, 2);
    expect([outcome, (await requestPlaces(date, 2, id)).outcome, await placesLeft(date)]).toEqual(["held", "held", 2]);
    expect(Date.parse((await enquiry(id)).held_until ?? "")).toBe(noon().add({ hours: 48 }).epochMilliseconds);
  });

  test("a hold ends by itself at its minute, and neither the version nor the history of the enquiry changes", async () => {
    const date = await own.addDate();
    const { id } = await requestPlaces(date, 2);
    const { updated_at } = await enquiry(id);
    await setClock(own.project, noon().add({ hours: 48 }).subtract({ seconds: 1 }));
    await release();
    expect(await placesLeft(date)).toBe(2);
    await setClock(own.project, noon().add({ hours: 48 }));
    await release();
    expect(await placesLeft(date)).toBe(4);
    expect(await enquiry(id)).toEqual({ held_until: null, updated_at, status: "new" });
    expect(await own.changesOf(id)).toEqual([]);
  });

  test("the next request for a date and the next booking release holds whose time is over", async () => {
    const date = await own.addDate({ capacity: 2 });
    await requestPlaces(date);
    await setClock(own.project, noon().add({ hours: 49 }));
    expect((await requestPlaces(date)).outcome).toBe("held");
    expect(await placesLeft(date)).toBe(1);
    await setClock(own.project, noon().add({ hours: 98 }));
    await own.book(date);
    await own.book(date);
    expect(await placesLeft(date)).toBe(0);
  });

  test("a booking that moves, becomes active again or gets more places releases holds whose time is over", async () => {
    const [date, other] = [await own.addDate({ capacity: 2 }), await own.addDate({ capacity: 2 })];
    const id = await own.book(other, { places: 2 });
    const change = async (values: object): Promise<string | undefined> =>
      (await own.staff.from("bookings").update(values).eq("id", id)).error?.code;
    await requestPlaces(date);
    expect(await change({ course_id: date })).toBe("PT409");
    await setClock(own.project, noon().add({ hours: 49 }));
    expect(await change({ course_id: date })).toBeUndefined();
    for (const less of [{ status: "cancelled" }, { places: 1 }]) {
      expect(await change(less)).toBeUndefined();
      await requestPlaces(date);
      await setClock(own.project, noon().add({ hours: 98 }));
      expect(await change({ status: "active", places: 2 })).toBeUndefined();
      await setClock(own.project, noon());
    }
    expect(await placesLeft(date)).toBe(0);
  });

  test("a booking of the request takes the held places, on a date that is otherwise full", async () => {
    const date = await own.addDate({ capacity: 3 });
    const { id } = await requestPlaces(date, 2);
    await own.book(date);
    expect(await placesLeft(date)).toBe(0);
    const { updated_at } = await enquiry(id);
    expect((await own.staff.rpc("book_request", { enquiry: id, seen: updated_at })).error).toBeNull();
    expect([await placesLeft(date), (await enquiry(id)).held_until]).toEqual([0, null]);
  });

  test.each<[act: string, change: (id: string) => PromiseLike<{ error: unknown }>]>([
    ["closed", (id) => own.staff.from("enquiries").update({ status: "closed" }).eq("id", id)],
    ["deleted", (id) => own.staff.from("enquiries").delete().eq("id", id)],
  ])("a request that is booked and %s at the same time is booked, and neither of the two gets an error", async (_act, change) => {
    const date = await own.addDate();
    const { id } = await requestPlaces(date, 2);
    const { updated_at } = await enquiry(id);
    const results = await sendIntoLock(own.project.database, `select from public.course_dates where id = '${date}' for no key update`, [
      () => own.staff.rpc("book_request", { enquiry: id, seen: updated_at }),
      () => change(id),
    ]);
    expect(results.map(({ error }) => error)).toEqual([null, null]);
    expect(await placesLeft(date)).toBe(2);
  });

  test("nobody else books a held place", async () => {
    const date = await own.addDate({ capacity: 2 });
    await requestPlaces(date);
    await own.book(date);
    await expect(own.book(date)).rejects.toMatchObject({ code: "PT409" });
  });

  test("a hold ends when the request is closed, deleted, booked on another date or set to booked by hand", async () => {
    const [date, other] = [await own.addDate({ capacity: 12 }), await own.addDate()];
    const [closed, deleted, moved, byHand] = [
      await requestPlaces(date),
      await requestPlaces(date),
      await requestPlaces(date),
      await requestPlaces(date),
    ];
    expect(await placesLeft(date)).toBe(8);
    await own.staff.from("enquiries").update({ status: "closed" }).eq("id", closed.id);
    await own.staff.from("enquiries").update({ status: "booked" }).eq("id", byHand.id);
    await own.remove("enquiries", deleted.id);
    await own.book(other, { enquiry_id: moved.id });
    expect([await placesLeft(date), await placesLeft(other)]).toEqual([12, 3]);
  });

  test("at most half of the places of a date are held; further requests hold none", async () => {
    const date = await own.addDate({ capacity: 5 });
    expect([
      (await requestPlaces(date, 4)).outcome,
      (await requestPlaces(date, 2)).outcome,
      (await requestPlaces(date)).outcome,
      (await requestPlaces(date)).outcome,
    ]).toEqual(["place", "held", "held", "place"]);
    expect(await placesLeft(date)).toBe(2);
  });

  test("of many requests at the same time, no more places are held than allowed", async () => {
    const date = await own.addDate({ capacity: 8 });
    const outcomes = await Promise.all(Array.from({ length: 10 }, async () => (await requestPlaces(date)).outcome));
    expect(outcomes.filter((outcome) => outcome === "held")).toHaveLength(4);
    expect(await placesLeft(date)).toBe(4);
  });

  test("requests hold nothing while holding is off, and earlier holds keep their time", async () => {
    const date = await own.addDate();
    const { id } = await requestPlaces(date);
    await holdFor(null);
    expect((await requestPlaces(date)).outcome).toBe("place");
    expect([await placesLeft(date), (await enquiry(id)).held_until]).toEqual([3, expect.any(String)]);
  });

  test("a deleted date that is restored has its requests and holds again", async () => {
    const date = await own.addDate();
    const [held, over, plain] = [await requestPlaces(date, 1), await requestPlaces(date, 1), await requestPlaces(date, 2)];
    expect([held, over, plain].map(({ outcome }) => outcome)).toEqual(["held", "held", "place"]);
    await own.sql(`update public.enquiries set held_until = held_until - interval '47 hours' where id = '${over.id}'`);
    await own.remove("course_dates", date);
    await setClock(own.project, noon().add({ hours: 2 }));
    await release();
    expect([(await enquiry(held.id)).held_until, (await enquiry(over.id)).held_until]).toEqual([expect.any(String), null]);

    expect((await own.staff.rpc("undo_delete", { kind: "course_dates", record_id: date })).error).toBeNull();
    expect(await placesLeft(date)).toBe(3);
    for (const { id } of [held, over, plain]) {
      const { updated_at } = await enquiry(id);
      const { error } = await own.staff.rpc("book_request", { enquiry: id, seen: updated_at });
      expect(error).toBeNull();
    }
    expect(await placesLeft(date)).toBe(0);
    expect((await own.changesOf(held.id)).map(({ columns }) => columns)).toEqual([["course_id"], ["course_id"], ["status"]]);
  });

  test("a date that is cancelled while requests for it arrive holds nothing", async () => {
    // PGlite runs one transaction at a time.
    if (own.project.database.kind === "pglite") return;
    const date = await own.addDate();
    const answers = await sendIntoLock(own.project.database, `update public.course_dates set status = 'cancelled' where id = '${date}'`, [
      () => requestPlaces(date),
      () => requestPlaces(date),
    ]);
    expect(answers.map(({ outcome }) => outcome)).toEqual(["closed", "closed"]);
    expect(await placesLeft(date)).toBe(4);
  });

  test("a hold ends at the latest when the course begins", async () => {
    const start = noon().add({ hours: 5 });
    const { id, held_until } = await requestPlaces(await own.addDate({ course_date: start.toString() }));
    expect(Date.parse(held_until)).toBe(start.epochMilliseconds);
    expect(Date.parse((await enquiry(id)).held_until ?? "")).toBe(start.epochMilliseconds);
  });
});
