import { describeDatabases } from "backend/test/database.ts";
import { FunctionsHttpError } from "@supabase/supabase-js";
import { beforeAll, expect, test } from "vitest";
import { giveFactor } from "../support/factor.ts";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

type SignedIn = Awaited<ReturnType<StaffProject["project"]["staff"]>>;

const ONE_PIXEL = Uint8Array.fromBase64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");
const IMAGE = "room-00000001-1x1.png";

/** A trainer calls the API directly, so that only the policies protect the records. */
describeDatabases("a trainer", (open) => {
  let office: StaffProject;
  let trainer: SignedIn;
  let ownDate: string;
  let otherDate: string;
  let ownBooking: string;
  let otherBooking: string;

  beforeAll(async () => {
    office = await openStaffProject(open);
    trainer = await office.project.staff("trainer@site.example", "trainer");
    const other = await office.project.staff("other@site.example", "trainer");
    ownDate = await office.addDate({ trainer_id: trainer.id, capacity: 9 });
    otherDate = await office.addDate({ trainer_id: other.id, capacity: 9 });
    ownBooking = await office.book(ownDate, { name: "Ada Fell", phone: "07700 900123" });
    otherBooking = await office.book(otherDate, { name: "Ben Moor" });
    await office.book(await office.addDate(), { name: "Cal Tarn" });
  });

  /** The names on the registers of all dates. */
  async function namesSeen(client = trainer.client): Promise<unknown[]> {
    const { data: dates } = await office.staff.from("course_dates").select("id");
    const registers = await Promise.all((dates ?? []).map(({ id }) => client.rpc("own_register", { date_id: id })));
    const names: string[] = registers.flatMap(({ data }) => (data ?? []).map(({ name }: { name: string }) => name));
    return names.toSorted();
  }

  test("reads the registers of its own dates, and no other", async () => {
    await office.book(ownDate, { name: "Dot Beck", status: "cancelled" });
    expect(await namesSeen()).toEqual(["Ada Fell"]);
    expect((await trainer.client.rpc("own_register", { date_id: otherDate })).data).toEqual([]);
  });

  test("reads what a register shows, and no e-mail address, payment or other column of a booking", async () => {
    await office.staff
      .from("bookings")
      .update({ email: "ada@mail.example", payment_status: "paid", payment_method: "card" })
      .eq("id", ownBooking);
    expect((await trainer.client.rpc("own_register", { date_id: ownDate })).data).toEqual([
      { id: ownBooking, name: "Ada Fell", company: null, phone: "07700 900123", places: 1, note: null },
    ]);
    expect((await trainer.client.from("bookings").select("*")).data).toEqual([]);
    const embedded = await trainer.client.from("course_dates").select("id, bookings(email), waiting_list(name)").order("id");
    expect(embedded.error).toBeNull();
    expect(embedded.data?.filter(({ bookings, waiting_list }) => bookings.length + waiting_list.length > 0)).toEqual([]);
  });

  test("can read the register of a date only while assigned to it", async () => {
    const date = await office.addDate({ trainer_id: trainer.id });
    await office.book(date, { name: "Eve Ghyll" });
    expect(await namesSeen()).toEqual(["Ada Fell", "Eve Ghyll"]);
    await office.staff.from("course_dates").update({ trainer_id: null }).eq("id", date);
    expect(await namesSeen()).toEqual(["Ada Fell"]);
  });

  test("changes nothing of the own register and cannot take over another date", async () => {
    const { client } = trainer;
    for (const id of [ownBooking, otherBooking]) {
      expect((await client.from("bookings").update({ note: "x" }).eq("id", id).select("id")).data).toEqual([]);
      expect((await client.from("bookings").delete().eq("id", id).select("id")).data).toEqual([]);
    }
    expect((await client.from("bookings").insert({ course_id: ownDate, name: "Fay" })).error?.code).toBe("42501");
    for (const id of [ownDate, otherDate]) {
      const taken = await client.from("course_dates").update({ trainer_id: trainer.id, capacity: 1 }).eq("id", id).select("id");
      expect(taken.data).toEqual([]);
      expect((await client.from("course_dates").delete().eq("id", id).select("id")).data).toEqual([]);
    }
    const upserted = { id: otherDate, course_name: "Lvl 2 CCTV", course_date: "2031-03-03T09:00:00Z", trainer_id: trainer.id };
    expect((await client.from("course_dates").upsert(upserted)).error?.code).toBe("42501");
    expect((await client.rpc("call_off_date", { date_id: ownDate })).error?.code).toBe("PT403");
    expect(await namesSeen()).toEqual(["Ada Fell"]);
  });

  test("has no role in any claim of its own: user metadata and a changed e-mail address grant nothing", async () => {
    const signedIn = await office.project.visitor.auth.signInWithPassword({
      email: "trainer@site.example",
      password: office.project.password,
    });
    expect(signedIn.error).toBeNull();
    const changed = await office.project.visitor.auth.updateUser({ data: { role: "owner", display_name: "Owner" } });
    expect(changed.error).toBeNull();
    const { client } = trainer;
    expect((await client.rpc("own_role")).data).toBe("trainer");
    expect((await client.rpc("begin_staff_act", { act: "make_owner", member_id: trainer.id })).error?.code).toBe("PT403");
    await office.project.visitor.auth.signOut({ scope: "local" });
  });

  test("is refused by the functions for staff with a code and a message", async () => {
    const invoke = async (name: string, options: object): Promise<unknown> => {
      const { error } = await trainer.client.functions.invoke(name, options);
      if (!(error instanceof FunctionsHttpError)) throw new Error(`${name} was not refused`);
      const response: unknown = error.context;
      return response instanceof Response ? { status: response.status, ...(await response.json()) } : null;
    };
    expect(await invoke("get-website-stats", { method: "GET" })).toEqual({
      status: 403,
      error: "not_allowed",
      message: "Trainers see no statistics. Ask the office.",
    });
    for (const act of ["link", "disable", "enable", "remove_factor", "remove", "make_owner", "make_office", "make_trainer"]) {
      const refusal = { status: 403, error: "not_allowed", message: "Your role does not allow this. Ask an owner." };
      expect(await invoke("staff", { body: { act, member_id: office.staffId } }), act).toEqual(refusal);
      expect(await invoke("staff", { body: { act, member_id: trainer.id } }), act).toEqual(refusal);
    }
    expect(await invoke("staff", { body: { act: "invite", email: "friend@site.example" } })).toMatchObject({ status: 403 });
  });

  test("sees, adds and deletes no file of any bucket, and manages no bucket", async () => {
    const { service } = office.project;
    const files = trainer.client.storage.from("post-images");
    expect((await service.storage.from("post-images").upload(IMAGE, ONE_PIXEL, { contentType: "image/png" })).error).toBeNull();
    const { data: buckets } = await service.storage.listBuckets();
    expect(buckets?.map(({ id }) => id)).toEqual(["post-images"]);
    expect((await trainer.client.storage.listBuckets()).data).toEqual([]);
    expect((await files.list()).data).toEqual([]);
    expect((await files.upload("room-00000002-1x1.png", ONE_PIXEL, { contentType: "image/png" })).error).not.toBeNull();
    expect((await files.update(IMAGE, ONE_PIXEL, { contentType: "image/png" })).error).not.toBeNull();
    expect((await files.move(IMAGE, "room-00000003-1x1.png")).error).not.toBeNull();
    expect((await files.createSignedUrl(IMAGE, 60)).error).not.toBeNull();
    await files.remove([IMAGE]);
    expect((await service.storage.from("post-images").list()).data).toHaveLength(1);
    expect((await trainer.client.storage.createBucket("own")).error).not.toBeNull();
    expect((await trainer.client.storage.emptyBucket("post-images")).error).not.toBeNull();
    expect((await trainer.client.storage.deleteBucket("post-images")).error).not.toBeNull();
    expect((await service.storage.from("post-images").list()).data).toHaveLength(1);
  });

  test("has a calendar of the own dates, and one of all dates only while in the office", async () => {
    const read = async (key: unknown) => {
      const { data } = await office.project.visitor.rpc("calendar_feed", { key });
      return data.map(({ id }: { id: string }) => id);
    };
    const { data: key } = await trainer.client.rpc("make_calendar_feed");
    expect(await read(key)).toEqual([ownDate]);
    const { data: officeKey } = await office.staff.rpc("make_calendar_feed");
    expect(await read(officeKey)).toEqual(expect.arrayContaining([ownDate, otherDate]));
    await office.sql(`delete from private.staff_roles where user_id = '${trainer.id}'`);
    expect(await read(key)).toEqual(expect.arrayContaining([ownDate, otherDate]));
    expect((await trainer.client.from("bookings").select("name")).data?.length).toBeGreaterThan(1);
    await office.sql(`insert into private.staff_roles (user_id, role) values ('${trainer.id}', 'trainer')`);
    expect(await namesSeen()).toEqual(["Ada Fell"]);
  });

  test("without the second factor that the account has, or after the sign-out, sees no register", async () => {
    const { service, staff } = office.project;
    const third = await staff("third@site.example", "trainer");
    await office.book(await office.addDate({ trainer_id: third.id }), { name: "Gil Force" });
    expect(await namesSeen(third.client)).toEqual(["Gil Force"]);
    await giveFactor(office.project, third.id);
    expect(await namesSeen(third.client)).toEqual([]);
    await office.sql(`delete from auth.mfa_factors where user_id = '${third.id}'`);
    expect(await namesSeen(third.client)).toEqual(["Gil Force"]);
    await service.auth.admin.signOut(third.accessToken, "global");
    expect(await namesSeen(third.client)).toEqual([]);
  });
});
