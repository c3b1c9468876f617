import { expect, test, vi } from "vitest";
import { scriptedClient, type WireAnswer } from "../wire-fixture.ts";
import { changePassword, listSessions, saveName } from "./queries.ts";

const user = { id: "7f0c2f7e-0000-4000-8000-000000000000", email: "ada@larkfell.example", user_metadata: {}, app_metadata: {} };

/** A client somebody is signed in with. */
async function signedIn(answers: readonly WireAnswer[]) {
  const session = { access_token: "e30.e30.e30", refresh_token: "r", token_type: "bearer", expires_in: 3600, user };
  const { supabase, asked } = scriptedClient([{ status: 200, body: session }, ...answers]);
  await supabase.auth.signInWithPassword({ email: user.email, password: "p" });
  return { supabase, asked };
}

function passwords(more: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ password: "a long walk", repeat: "a long walk", ...more })) form.set(name, value);
  return form;
}

function refusedBy(code: string): WireAnswer {
  return { status: 422, body: { code: 422, error_code: code, msg: `said of ${code}` } };
}

test("a new password is sent, and what the service wants to see besides is asked for when it says so", async () => {
  const { supabase, asked } = await signedIn([
    refusedBy("current_password_required"),
    refusedBy("current_password_invalid"),
    { status: 200, body: user },
  ]);
  const need = vi.fn();
  expect(await changePassword(supabase, passwords(), need)).toMatchObject({ ok: false, field: "current_password" });
  expect(need).toHaveBeenCalledExactlyOnceWith("current_password");
  expect(await changePassword(supabase, passwords({ current_password: "old one" }), need)).toMatchObject({
    ok: false,
    field: "current_password",
  });
  expect(await changePassword(supabase, passwords({ current_password: "old one " }), need)).toMatchObject({ ok: true });
  expect(asked.at(-1)).toContain('"current_password":"old one "');
});

test("a session that is too old for it is mailed a code, which goes along then", async () => {
  const { supabase, asked } = await signedIn([
    refusedBy("reauthentication_needed"),
    { status: 200, body: {} },
    refusedBy("reauthentication_not_valid"),
    { status: 200, body: user },
  ]);
  const need = vi.fn();
  expect(await changePassword(supabase, passwords(), need)).toMatchObject({ ok: false, field: "code" });
  expect(need).toHaveBeenCalledExactlyOnceWith("code");
  expect(asked.at(-1)).toContain("GET /auth/v1/reauthenticate");
  expect(await changePassword(supabase, passwords({ code: "1234" }), need)).toMatchObject({ ok: false, field: "code" });
  expect(await changePassword(supabase, passwords({ code: " 12345678 " }), need)).toMatchObject({ ok: true });
  expect(asked.at(-1)).toContain('"nonce":"12345678"');
});

test("a password the service does not take is shown at its field", async () => {
  const { supabase } = await signedIn([refusedBy("same_password"), refusedBy("weak_password"), refusedBy("insufficient_aal")]);
  expect(await changePassword(supabase, passwords(), vi.fn())).toEqual({ ok: false, message: "said of same_password", field: "password" });
  expect(await changePassword(supabase, passwords(), vi.fn())).toMatchObject({ field: "password" });
  expect(await changePassword(supabase, passwords(), vi.fn())).toEqual({ ok: false, message: "said of insufficient_aal" });
});

test("a name nobody has is refused before it is sent", async () => {
  const { supabase, asked } = scriptedClient([]);
  const form = new FormData();
  form.set("name", "a".repeat(121));
  expect(await saveName(supabase, form)).toMatchObject({ ok: false, field: "name" });
  expect(asked).toEqual([]);
});

test("an answer that is no list of sessions is not shown as one", async () => {
  const { supabase } = scriptedClient([{ status: 200, body: "no" }]);
  expect(await listSessions(supabase)).toMatchObject({ ok: false });
});
