import { createClient } from "@supabase/supabase-js";
import { describe, expect, test } from "vitest";
import { changePassword, listSessions, passwordRefusal, readProfile, saveName } from "../../app/portal/profile/queries.ts";
import { readLinkToken } from "../../app/portal/set-up/link-token.ts";
import { verifyFactor } from "../../app/portal/session/second-factor.ts";
import {
  choosePassword,
  linkRefusal,
  mailedCodeRefusal,
  redeemCode,
  redeemLink,
  requestLink,
} from "../../app/portal/set-up/redeem-link.ts";
import { runCommand, invite, listMembers } from "../../app/portal/staff/queries.ts";
import type { Member } from "../../app/portal/staff/schema.ts";
import type { BrowserSupabase } from "../../app/supabase/supabase.client.ts";
import { PROJECT_URL, PUBLISHABLE_KEY } from "../support/project.ts";
import { formOf, portalProject } from "./portal-fixture.ts";

const project = portalProject();

/** A browser that nobody is signed in to. */
function browser(): BrowserSupabase {
  const { backend } = project().project;
  return createClient(PROJECT_URL, PUBLISHABLE_KEY, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: (input, init) => backend.fetch(new Request(input, init)) },
  });
}

async function signedIn(email: string, password = project().project.password): Promise<BrowserSupabase> {
  const client = browser();
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return client;
}

/** Adds an account and signs it in. */
async function account(email: string): Promise<BrowserSupabase> {
  await project().project.staff(email);
  return signedIn(email);
}

async function member(email: string): Promise<Member> {
  const answer = await listMembers(project().staff);
  const found = answer.ok ? answer.rows.find((each) => each.email === email) : undefined;
  if (!found) throw new Error(`${email} is not listed`);
  return found;
}

const CHOSEN = "a long walk";
const twice = (password: string, repeat = password, more: Record<string, string> = {}) => formOf({ password, repeat, ...more });

describe("the profile", () => {
  test("changes the password", async () => {
    const client = await account("ada@site.example");
    const { password: current_password } = project().project;
    const change = (...passwords: Parameters<typeof twice>) => changePassword(client, twice(...passwords), () => {});
    expect(await change(CHOSEN, "a long talk", { current_password })).toMatchObject({ ok: false, field: "repeat" });
    expect(await change("too short")).toMatchObject({ ok: false, field: "password" });
    expect(await change(CHOSEN)).toMatchObject({ ok: false, field: "current_password" });
    expect(await change(CHOSEN, CHOSEN, { current_password: "a wrong one" })).toMatchObject({ ok: false, field: "current_password" });
    expect(await change(current_password, current_password, { current_password })).toMatchObject({ ok: false, field: "password" });
    expect(await change(CHOSEN, CHOSEN, { current_password })).toMatchObject({ ok: true });
    await signedIn("ada@site.example", CHOSEN);
  });

  test.each([
    ["current_password_required", "current_password"],
    ["current_password_invalid", "current_password"],
    ["reauthentication_not_valid", "code"],
    ["weak_password", "password"],
    ["insufficient_aal", undefined],
  ])("shows %s at the field %s", (code, field) => {
    const outcome = passwordRefusal({ code, message: "Text of the service" });
    expect(outcome.ok).toBe(false);
    expect(outcome.ok ? undefined : outcome.field).toBe(field);
  });

  test("saves a name up to the length that the service accepts", async () => {
    const client = await account("ben@site.example");
    expect(await saveName(client, formOf({ name: "x".repeat(121) }))).toMatchObject({ ok: false, field: "name" });
    expect(await saveName(client, formOf({ name: "Ben Moor" }))).toMatchObject({ ok: true });
    expect(await readProfile(client)).toMatchObject({ name: "Ben Moor", email: "ben@site.example" });
  });

  test("lists the sessions of the account and marks the current one", async () => {
    const client = await account("cy@site.example");
    const answer = await listSessions(client);
    expect(answer.ok && answer.rows.filter((session) => session.this)).toHaveLength(1);
    expect(answer).toMatchObject({ rows: { length: 2 } });
    expect(await listSessions(browser())).toMatchObject({ ok: false });
  });
});

describe("the code from a mail", () => {
  test("is refused at its field without a request if it has no digits, and so is a text that is no address", async () => {
    expect(await redeemCode(browser(), formOf({ email: "ada", code: "12345678" }))).toMatchObject({ ok: false, field: "email" });
    expect(await redeemCode(browser(), formOf({ email: "ada@site.example", code: "abc" }))).toMatchObject({ ok: false, field: "code" });
    expect(await requestLink(browser(), formOf({ email: "ada" }))).toMatchObject({ ok: false, field: "email" });
  });

  test("that is wrong is refused at its field", async () => {
    const outcome = await redeemCode(browser(), formOf({ email: "ada@site.example", code: "1234 5678" }));
    expect(outcome).toMatchObject({ ok: false, field: "code", message: expect.stringMatching(/^This code is wrong/) });
  });

  test.each([
    [
      { message: "Request rate limit reached", status: 429 },
      { field: "code", message: expect.stringMatching(/^Too many tries/) },
    ],
    [{ message: "User is banned", code: "user_banned" }, { message: expect.stringMatching(/^This account is disabled/) }],
    [{ message: "Text of the service" }, { message: "Text of the service" }],
  ])("refused with %j says why", (error, refusal) => {
    expect(mailedCodeRefusal(error)).toMatchObject({ ok: false, ...refusal });
  });
});

test("an ordinary session cannot choose a password without the current one, and is sent to the profile", async () => {
  const client = await account("fay@site.example");
  expect(await choosePassword(client, twice(CHOSEN))).toMatchObject({ ok: false, next: { to: "/admin/profile" } });
  expect(await choosePassword(client, twice("too short"))).toMatchObject({ ok: false, field: "password" });
});

test.each(["", "12345", "1234567", "abcdef"])("the second factor refuses %j at the field without a request", async (code) => {
  expect(await verifyFactor(browser(), "f", formOf({ code }))).toMatchObject({ ok: false, field: "code" });
});

describe("staff accounts", () => {
  test("an invitation returns a link that opens the account once and lets its owner choose a password", async () => {
    const invited = await invite(project().staff, formOf({ email: "dee@site.example", name: "Dee" }));
    expect(invited.outcome).toEqual({ ok: true, message: "dee@site.example is invited. Hand over the link below." });
    const token = readLinkToken(new URL(invited.link ?? "").hash);
    if (!token) throw new Error("The link has no token");
    const client = browser();
    expect(await redeemLink(client, token)).toMatchObject({ ok: true });
    expect(await redeemLink(browser(), token)).toMatchObject({ ok: false, message: expect.stringMatching(/^This link has expired/) });
    expect(await choosePassword(client, twice(CHOSEN, "a long talk"))).toMatchObject({ ok: false, field: "repeat" });
    expect(await choosePassword(client, twice(CHOSEN))).toMatchObject({ ok: true });
    await signedIn("dee@site.example", CHOSEN);
    expect(await member("dee@site.example")).toMatchObject({ name: "Dee", state: "active", own: false });
  });

  test.each([
    ["user_banned", /^This account is disabled/],
    ["otp_expired", /^This link has expired/],
    [undefined, /^This link could not be opened/],
  ])("a link refused with %s says why", (code, message) => {
    expect(linkRefusal(code)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });

  test("an invitation without an e-mail address is refused at the field", async () => {
    expect((await invite(project().staff, formOf({ email: "dee", name: "" }))).outcome).toMatchObject({ ok: false, field: "email" });
  });

  test("an account is disabled and enabled, and a refusal has the text of the function", async () => {
    await account("eve@site.example");
    const eve = await member("eve@site.example");
    expect((await runCommand(project().staff, "disable", eve)).outcome).toMatchObject({ ok: true });
    await expect(signedIn("eve@site.example")).rejects.toMatchObject({ code: "user_banned" });
    expect((await runCommand(project().staff, "enable", eve)).outcome).toMatchObject({ ok: true });
    expect((await runCommand(project().staff, "remove", eve)).outcome).toMatchObject({ ok: true });
    const { outcome } = await runCommand(project().staff, "disable", eve);
    expect(outcome).toMatchObject({ ok: false, message: expect.stringMatching(/\.$/) });
  });

  test("a command fails if the service cannot be reached", async () => {
    const offline: BrowserSupabase = createClient(PROJECT_URL, PUBLISHABLE_KEY, {
      auth: { persistSession: false },
      global: { fetch: () => Promise.reject(new TypeError("Failed to fetch")) },
    });
    const { outcome } = await runCommand(offline, "enable", await member("office@site.example"));
    expect(outcome).toEqual({ ok: false, message: "The service could not be reached. Nothing was done; please try again." });
  });
});
