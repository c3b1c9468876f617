import { letterKinds } from "content/letters.ts";
import { beforeEach, expect, test } from "vitest";
import type { KindRow, Letter } from "../../app/portal/letters/fields.ts";
import { changeLetter, changeLetters, listKinds, listLetters, restoreDefault, saveKind } from "../../app/portal/letters/queries.ts";
import { mailtoOf, textOfLetter } from "../../app/portal/letters/text-of-letter.ts";
import { startEdit } from "../../app/portal/records/save-record.ts";
import { formOf, portalProject } from "./portal-fixture.ts";

const project = portalProject();
beforeEach(() => project().empty());

async function listed(): Promise<readonly Letter[]> {
  const answer = await listLetters(project().staff, "all");
  if (!answer.ok) throw new Error(answer.message);
  return answer.rows;
}

async function kind(id: string): Promise<KindRow> {
  const answer = await listKinds(project().staff);
  const row = answer.ok ? answer.rows.find((each) => each.id === id) : undefined;
  if (!row) throw new Error("The kind is not listed");
  return row;
}

test("the outbox lists failed letters first, then those that wait in their order", async () => {
  const { book, addDate, sql, staff } = project();
  await book(await addDate(), { email: "ada@mail.example" });
  await sql("update public.letters set state = 'failed', problem = 'gave_up' where kind = 'reminder_day'");
  expect((await listed()).map((letter) => letter.kind)).toEqual(["reminder_day", "confirmation", "reminder_week"]);
  const recent = await listLetters(staff, { now: Date.now() });
  expect(recent.ok && recent.rows.map((letter) => letter.kind)).toEqual(["confirmation"]);
});

test("a waiting letter is stopped or noted as sent by hand, once", async () => {
  const { book, addDate, staff } = project();
  await book(await addDate(), { email: "ada@mail.example" });
  const [confirmation, reminder] = await listed();
  if (!confirmation || !reminder) throw new Error("No letters were queued");
  expect(await changeLetter(staff, confirmation.id, "by_hand")).toMatchObject({ ok: true });
  expect(await changeLetter(staff, confirmation.id, "withdraw")).toMatchObject({ ok: false, stale: true });
  expect(await changeLetter(staff, reminder.id, "withdraw")).toMatchObject({ ok: true });
  // There is no mail server.
  const [next] = await listed();
  expect(await changeLetter(staff, next?.id ?? "", "send")).toMatchObject({ ok: true, message: expect.stringContaining("08:00") });
  const states = (await listed()).map(({ state, by_hand }) => (by_hand ? `${state} by hand` : state));
  expect(states.toSorted()).toEqual(["sent by hand", "waiting", "withdrawn"]);
});

test("several failed letters are sent again at once, and several stopped; one that was stopped meanwhile is reported", async () => {
  const { book, addDate, sql, staff } = project();
  const date = await addDate();
  for (const name of ["Ada", "Ben"]) await book(date, { name, email: `${name.toLowerCase()}@mail.example` });
  await sql("update public.letters set state = 'failed', problem = 'refused' where kind = 'confirmation'");
  const ids = (await listed()).filter(({ state }) => state === "failed").map(({ id }) => id);
  expect(await changeLetters(staff, ids, "send")).toMatchObject({
    ok: true,
    message: expect.stringContaining("Tried to send 2 letters again"),
  });
  expect((await listed()).filter(({ state }) => state === "failed")).toEqual([]);
  expect(await changeLetters(staff, ids.slice(0, 1), "withdraw")).toMatchObject({ ok: true, message: "1 letter stopped." });
  expect(await changeLetters(staff, ids, "withdraw")).toMatchObject({
    ok: false,
    stale: true,
    message: expect.stringContaining("1 of 2 letters are stopped. The letter is already withdrawn."),
  });
});

test("a template is saved with known fields only and without texts that equal the default, and the default is restored", async () => {
  const { staff, book, addDate } = project();
  const { subject, body } = letterKinds.confirmation;
  const form = (changes: object) => formOf({ sending: "on", subject, body, texts: "off", text_message: "", ...changes });
  const edit = startEdit(await kind("confirmation"));
  expect(await saveKind(staff, edit, form({ body: "Hello {nam}" }))).toMatchObject({ ok: false, field: "body" });
  expect(await saveKind(staff, edit, form({ body: "Hello {name" }))).toMatchObject({ ok: false, field: "body" });
  expect(await saveKind(staff, edit, form({ body: "Hello {name},\r\nsee you." }))).toMatchObject({ ok: true });
  const own = await kind("confirmation");
  expect(own).toMatchObject({ subject: null, body: "Hello {name},\nsee you." });
  await book(await addDate(), { email: "ada+fell@mail.example" });
  const [letter] = await listed();
  if (!letter) throw new Error("No letter was queued");
  const text = textOfLetter(letter, [own]);
  expect(text).toEqual({ subject: "Your booking: Manual Handling, Monday 7 January 2030", body: "Hello Ada,\nsee you." });
  expect(mailtoOf("ada+fell@mail.example", text)).toMatch(
    /^mailto:ada%2Bfell@mail\.example\?subject=Your%20.*&body=Hello%20Ada%2C%0D%0Asee/,
  );
  expect(await restoreDefault(staff, { ...own, updated_at: "2020-01-01T00:00Z" })).toMatchObject({ ok: false });
  expect(await restoreDefault(staff, own)).toMatchObject({ ok: true });
  expect((await kind("confirmation")).body).toBeNull();
});
