import { once } from "node:events";
import type { SupabaseClient } from "@supabase/supabase-js";
import { collectOutput, SHORT_LIVED, spawnEntry } from "backend/test/server-process.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resetPassword } from "./commands/reset-password.ts";
import { type Installation, prepareInstallation, type Site, STAFF } from "./installation-fixture.ts";

const cleanup = new AsyncDisposableStack();
let installation: Installation;
let site: Site;

beforeAll(async () => {
  installation = cleanup.use(await prepareInstallation());
  site = cleanup.use(await installation.serve({ START_FRESH: "secrets" }));
});
afterAll(() => cleanup.disposeAsync());

async function signIn(password: string): Promise<SupabaseClient> {
  const client = site.client();
  expect((await client.auth.signInWithPassword({ ...STAFF, password })).error).toBeNull();
  return client;
}

/** Chooses a new password with a printed link; returns the client, which is then signed in. */
async function choosePassword(link: string, password: string): Promise<SupabaseClient> {
  const { origin, pathname, hash } = new URL(link);
  expect(origin + pathname).toBe(`${site.url}/admin/password`);
  const fragment = new URLSearchParams(hash.slice(1));
  expect(fragment.get("type")).toBe("recovery");
  const client = site.client();
  const proof = { type: "recovery", token_hash: fragment.get("token_hash") ?? "" } as const;
  expect((await client.auth.verifyOtp(proof)).error).toBeNull();
  expect((await client.auth.updateUser({ password })).error).toBeNull();
  return client;
}

test("`larkfell reset-password` prints a link with which the last account chooses a new password, without its second factor if requested", async () => {
  const owner = await signIn(STAFF.password);
  const { data } = await owner.auth.mfa.enroll({ factorType: "totp" });
  expect(data?.type).toBe("totp");

  const child = spawnEntry("operations/larkfell.ts", { ...installation.env, PORT: new URL(site.url).port }, SHORT_LIVED, [
    "reset-password",
    STAFF.email,
    "--remove-second-factor",
  ]);
  const output = collectOutput(child);
  await once(child, "close");
  expect(child.exitCode, output()).toBe(0);
  const client = await choosePassword(output().trim(), "past the limestone kiln");
  expect((await client.auth.mfa.listFactors()).data?.all).toEqual([]);
  await signIn("past the limestone kiln");
});

test("reset-password names an unknown address", async () => {
  const refusal = `The server at ${site.url} refused: User with this email not found (404)`;
  await expect(resetPassword("nobody@larkfell.example", {})).rejects.toThrow(refusal);
});

test("reset-password says in one line that no server runs", async () => {
  installation.use({ PORT: "1" });
  const refusal = "No server answers at http://127.0.0.1:1. Start it first, with the same environment.";
  await expect(resetPassword(STAFF.email, {})).rejects.toThrow(refusal);
});
