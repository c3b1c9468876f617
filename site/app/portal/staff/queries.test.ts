import { expect, test } from "vitest";
import { scriptedClient } from "../wire-fixture.ts";
import { actOn, invite, listMembers } from "./queries.ts";
import type { Member } from "./schema.ts";

const ada: Member = {
  id: "7f0c2f7e-0000-4000-8000-000000000000",
  email: "ada@larkfell.example",
  name: "Ada",
  state: "active",
  second_factor: false,
  last_sign_in_at: null,
  created_at: "2026-11-21T12:00:00Z",
  own: false,
};

function invitation(): FormData {
  const form = new FormData();
  form.set("email", ada.email);
  form.set("name", ada.name);
  return form;
}

test("a link that has to be handed over is told apart from one that was mailed", async () => {
  const { supabase, asked } = scriptedClient([
    { status: 200, body: { done: true, link: "https://site.example/admin/password#x" } },
    { status: 200, body: { done: true, mailed: true } },
  ]);
  expect(await invite(supabase, invitation())).toEqual({
    outcome: { ok: true, message: "ada@larkfell.example is invited. Hand over the link below." },
    link: "https://site.example/admin/password#x",
  });
  expect(await invite(supabase, invitation())).toEqual({
    outcome: { ok: true, message: "ada@larkfell.example is invited. It is on its way by mail." },
    link: null,
  });
  expect(asked[0]).toBe(`POST /functions/v1/staff {"act":"invite","email":"ada@larkfell.example","name":"Ada","by_hand":false}`);
});

test("a refusal is said in the function's own words, at its field where it has one", async () => {
  const { supabase } = scriptedClient([
    { status: 409, body: { error: "last_account", message: "This is the last account that can sign in." } },
    { status: 400, body: { error: "invalid_email", message: "The auth service does not take this e-mail address." } },
    { status: 500, body: {} },
  ]);
  expect((await actOn(supabase, "disable", ada)).outcome).toEqual({ ok: false, message: "This is the last account that can sign in." });
  expect((await invite(supabase, invitation())).outcome).toMatchObject({ ok: false, field: "email" });
  expect((await actOn(supabase, "remove", ada)).outcome).toEqual({ ok: false, message: "This could not be done. Please try again." });
});

test("a service that cannot be reached has done nothing", async () => {
  const { supabase } = scriptedClient([]);
  expect((await actOn(supabase, "enable", ada)).outcome).toEqual({
    ok: false,
    message: "The service could not be reached. Nothing was done; please try again.",
  });
});

test("an answer that is no list of members is not shown as one", async () => {
  const { supabase } = scriptedClient([
    { status: 200, body: [ada] },
    { status: 200, body: { rows: [] } },
  ]);
  expect(await listMembers(supabase)).toEqual({ ok: true, rows: [ada] });
  expect(await listMembers(supabase)).toEqual({ ok: false, message: "Error fetching staff: the answer was not understood" });
});
