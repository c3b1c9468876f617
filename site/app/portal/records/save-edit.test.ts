import { describe, expect, test } from "vitest";
import { editing, saveEdit, type Editing, type ServiceError } from "./save-edit.ts";
import { refused } from "../frame/outcome.ts";

interface Row {
  id: string;
  updated_at: string;
  places: number;
  note: string | null;
}

const opened: Row = { id: "b1", updated_at: "1", places: 1, note: null };

/** A table of one row (or none), which writes only where the version is the one it has. */
function table(row: Row | null, error: ServiceError | null = null) {
  const stored = { row };
  return {
    stored,
    save: (edit: Editing<Row>, values: Pick<Row, "places" | "note">) =>
      saveEdit(edit, values, {
        what: "booking",
        labels: { places: "Places", note: "Note" },
        saved: "Saved.",
        failed: ({ message }) => refused(message),
        write: (changes, seen) => {
          if (error) return Promise.resolve({ data: null, error });
          if (stored.row?.updated_at !== seen.updated_at) return Promise.resolve({ data: [], error: null });
          stored.row = { ...stored.row, ...changes, updated_at: `${stored.row.updated_at}+` };
          return Promise.resolve({ data: [stored.row], error: null });
        },
        read: () => Promise.resolve({ data: stored.row ? [stored.row] : [], error: null }),
      }),
  };
}

describe("saving an edit", () => {
  test("writes what was changed", async () => {
    const { save, stored } = table(opened);
    expect(await save(editing(opened), { places: 2, note: null })).toEqual({ ok: true, message: "Saved." });
    expect(stored.row).toMatchObject({ places: 2, note: null });
  });

  test("writes nothing where nothing was changed", async () => {
    const { save, stored } = table(opened);
    expect(await save(editing(opened), { places: 1, note: null })).toMatchObject({ ok: true });
    expect(stored.row).toBe(opened);
  });

  test("tells what somebody else changed, and keeps it beside one's own change on saving again", async () => {
    const { save, stored } = table({ ...opened, updated_at: "2", note: "Rang" });
    const edit = editing(opened);
    const first = await save(edit, { places: 2, note: null });
    expect(first).toMatchObject({ ok: false, message: expect.stringContaining("Note: empty, now Rang.") });
    expect(stored.row).toMatchObject({ places: 1, note: "Rang" });
    expect(await save(edit, { places: 2, note: null })).toMatchObject({ ok: true });
    expect(stored.row).toMatchObject({ places: 2, note: "Rang" });
  });

  test("names the fields both changed, and saving again decides them", async () => {
    const { save, stored } = table({ ...opened, updated_at: "2", places: 3 });
    const edit = editing(opened);
    expect(await save(edit, { places: 2, note: null })).toMatchObject({
      ok: false,
      message: expect.stringContaining("in place of theirs (Places)"),
    });
    expect(await save(edit, { places: 2, note: null })).toMatchObject({ ok: true });
    expect(stored.row).toMatchObject({ places: 2 });
  });

  test("says where the row is gone, kept by a policy, or refused", async () => {
    expect(await table(null).save(editing(opened), { places: 2, note: null })).toMatchObject({
      ok: false,
      message: expect.stringContaining("deleted"),
    });
    expect(await table(opened, { code: "PT409", message: "Full", details: "0" }).save(editing(opened), { places: 2, note: null })).toEqual({
      ok: false,
      message: "Full",
    });
  });
});
