import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deployments, describeDeployments, type Deployment } from "../support/deployments.ts";
import { runToEnd, STAFF } from "../support/product.ts";
import { startedDirectory } from "../support/started-directory.ts";

const inOneServer = deployments.filter(([way]) => !way.includes("another process"));

describeDeployments("the command reset-password", inOneServer, (deploy) => {
  const cleanup = new AsyncDisposableStack();
  let site: Deployment;
  let env: Record<string, string>;

  beforeAll(async () => {
    const { path } = cleanup.use(await startedDirectory());
    site = cleanup.adopt(await deploy(path), (started) => started.stop());
    env = { DATA_DIR: path, PORT: new URL(site.url).port };
  });
  afterAll(() => cleanup.disposeAsync());

  async function browser(): Promise<SupabaseClient> {
    const { publishableKey } = JSON.parse(await readFile(join(env["DATA_DIR"] ?? "", "secrets.json"), "utf8"));
    return createClient(site.url, publishableKey, { auth: { persistSession: false } });
  }

  test("prints a link with which the last account chooses a new password, without its second factor if requested", async () => {
    const owner = await browser();
    expect((await owner.auth.signInWithPassword(STAFF)).error).toBeNull();
    const { data } = await owner.auth.mfa.enroll({ factorType: "totp" });
    expect(data?.type).toBe("totp");

    const { code, output } = await runToEnd("operations/larkfell.ts", env, ["reset-password", STAFF.email, "--remove-second-factor"]);
    expect(code).toBe(0);
    const link = new URL(output.trim());
    expect(link.origin + link.pathname).toBe(`${site.url}/admin/password`);
    const fragment = new URLSearchParams(link.hash.slice(1));
    expect(fragment.get("type")).toBe("recovery");
    const client = await browser();
    const proof = { type: "recovery", token_hash: fragment.get("token_hash") ?? "" } as const;
    expect((await client.auth.verifyOtp(proof)).error).toBeNull();
    expect((await client.auth.mfa.listFactors()).data?.all).toEqual([]);
    expect((await client.auth.updateUser({ password: "past the limestone kiln" })).error).toBeNull();
    expect((await owner.auth.signInWithPassword({ ...STAFF, password: "past the limestone kiln" })).error).toBeNull();
  });

  test("names an unknown address, and a missing argument", async () => {
    const unknown = await runToEnd("operations/larkfell.ts", env, ["reset-password", "nobody@larkfell-training.example"]);
    expect([unknown.code, unknown.output.trim()]).toEqual([1, `The server at ${site.url} refused: User with this email not found (404)`]);
    const none = await runToEnd("operations/larkfell.ts", env, ["reset-password"]);
    expect([none.code, none.output]).toEqual([2, "error: missing required argument 'email'\n"]);
  });
});

test("reset-password says in one line that no server runs", async () => {
  await using dataDir = await startedDirectory();
  const { code, output } = await runToEnd("operations/larkfell.ts", { DATA_DIR: dataDir.path, PORT: "1" }, [
    "reset-password",
    "jo@larkfell-training.example",
  ]);
  expect([code, output.trim()]).toEqual([1, "No server answers at http://127.0.0.1:1. Start it first, with the same environment."]);
});
