import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";
import { refused, type Outcome } from "../../app/portal/frame/outcome.ts";
import { saveRecord, startEdit, type RecordEdit } from "../../app/portal/records/save-record.ts";

interface Row extends Values {
  id: string;
  updated_at: string;
  company: string | null;
}

interface Values {
  places: number;
  note: string | null;
}

describeDatabases("saving a record", (open) => {
  let staffProject: StaffProject;
  let opened: Row;
  beforeAll(async () => {
    staffProject = await openStaffProject(open);
  });
  beforeEach(async () => {
    await staffProject.empty();
    const id = await staffProject.book(await staffProject.addDate({ capacity: 8 }), { places: 1 });
    opened = await stored(id);
  });

  async function stored(id: string): Promise<Row> {
    const { data, error } = await staffProject.staff.from("bookings").select("*").eq("id", id).single();
    if (error) throw error;
    return data;
  }

  async function change(values: Partial<Row>): Promise<void> {
    await staffProject.staff.from("bookings").update(values).eq("id", opened.id);
  }

  function save(edit: RecordEdit<Row>, values: Values): Promise<Outcome> {
    return saveRecord(staffProject.staff, edit, values, {
      table: "bookings",
      noun: "booking",
      fields: {
        places: { label: "Places", format: String, show: String },
        note: { label: "Note", format: (note) => note ?? "", show: (note) => note ?? "empty" },
      },
      alsoCompared: { company: { label: "Company", format: (company) => company ?? "", show: (company) => company ?? "none" } },
      saved: "Saved.",
      failed: ({ code }) => refused(code),
    });
  }

  test("writes the fields that changed and reads the row back", async () => {
    const edit = startEdit(opened);
    expect(await save(edit, { places: 2, note: null })).toMatchObject({ ok: true, message: "Saved." });
    expect(edit.seen).toEqual(await stored(opened.id));
    expect(edit.seen).toMatchObject({ places: 2, note: null });
  });

  test("writes nothing if no field changed", async () => {
    expect(await save(startEdit(opened), { places: 1, note: null })).toEqual({ ok: true, message: "Nothing was changed." });
    expect(await stored(opened.id)).toEqual(opened);
  });

  describe("after somebody else saved", () => {
    test("shows their change and keeps it when saving again", async () => {
      await change({ note: "Rang" });
      const edit = startEdit(opened);
      const refusal = await save(edit, { places: 2, note: null });
      expect(refusal).toMatchObject({ ok: false, message: expect.stringContaining("Note: empty, now Rang. Nothing was overwritten.") });
      expect(await stored(opened.id)).toMatchObject({ places: 1, note: "Rang" });
      expect(await save(edit, { places: 2, note: null })).toMatchObject({ ok: true });
      expect(await stored(opened.id)).toMatchObject({ places: 2, note: "Rang" });
    });

    test("names the fields that both changed, and saving again replaces theirs", async () => {
      await change({ places: 3 });
      const edit = startEdit(opened);
      expect((await save(edit, { places: 2, note: null })).message).toContain("replace theirs with yours (Places)");
      expect(await save(edit, { places: 2, note: null })).toMatchObject({ ok: true });
      expect(await stored(opened.id)).toMatchObject({ places: 2 });
    });

    test("shows a change of a column that is compared although the form does not show it", async () => {
      await change({ company: "Fell Ltd" });
      const edit = startEdit(opened);
      expect((await save(edit, { places: 2, note: null })).message).toContain("Company: none, now Fell Ltd. Nothing was overwritten.");
      expect(await stored(opened.id)).toMatchObject({ places: 1 });
      expect(await save(edit, { places: 2, note: null })).toMatchObject({ ok: true });
    });

    test("writes at once if their change is in no field of the form, as after Delete and Undo", async () => {
      await staffProject.remove("bookings", opened.id);
      const { error } = await staffProject.staff.rpc("undo_delete", { kind: "bookings", record_id: opened.id });
      expect(error).toBeNull();
      expect((await stored(opened.id)).updated_at).not.toBe(opened.updated_at);
      const edit = startEdit(opened);
      expect(await save(edit, { places: 2, note: null })).toMatchObject({ ok: true, message: "Saved." });
      expect(edit.seen).toEqual(await stored(opened.id));
      expect(edit.seen).toMatchObject({ places: 2 });
    });

    test("says that the row was deleted", async () => {
      await staffProject.remove("bookings", opened.id);
      expect(await save(startEdit(opened), { places: 2, note: null })).toMatchObject({ ok: false, deleted: true });
    });
  });

  test("reports errors of the database by their code", async () => {
    expect(await save(startEdit(opened), { places: 999, note: null })).toEqual({ ok: false, message: "PT409" });
  });
});
