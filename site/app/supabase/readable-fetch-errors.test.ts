import { createClient } from "@supabase/supabase-js";
import { createServer } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { readableFetch } from "./readable-fetch-errors.ts";

/** An address on which nothing listens. */
async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

test("if the backend does not respond, every client returns a readable error and the session stays", async () => {
  const options = { auth: { persistSession: false, autoRefreshToken: false }, global: { fetch: readableFetch } };
  const supabase = createClient(await deadAddress(), "sb_publishable_test-0123456789abcdef", options);
  const { error } = await supabase.from("course_dates").insert({});
  expect(error?.message).toBe("No connection: The service could not be reached.");
  const signedIn = await supabase.auth.signInWithPassword({ email: "jo@mail.example", password: "seven lanes to Penrith" });
  expect([signedIn.error?.name, signedIn.error?.message]).toEqual(["AuthRetryableFetchError", "The service could not be reached."]);
});

test("an aborted request fails with an AbortError", async () => {
  const given = new AbortController();
  given.abort();
  await expect(readableFetch(await deadAddress(), { signal: given.signal })).rejects.toMatchObject({ name: "AbortError" });
});
