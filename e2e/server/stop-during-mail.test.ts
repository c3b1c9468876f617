import { setTimeout as delay } from "node:timers/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { startSmtp } from "backend/test/smtp-server.ts";
import { expect, test } from "vitest";
import { STAFF, startProcess } from "../support/product.ts";
import { startedDirectory } from "../support/started-directory.ts";

const KEY = { PUBLISHABLE_KEY: "sb_publishable_of-a-stop-0123456789abc" };

async function signIn(url: string): Promise<SupabaseClient> {
  const client = createClient(url, KEY.PUBLISHABLE_KEY, { auth: { persistSession: false, autoRefreshToken: false } });
  expect((await client.auth.signInWithPassword(STAFF)).error).toBeNull();
  return client;
}

test("a stop waits for the answer of the mail server to a letter, so that the letter is recorded as sent", async () => {
  await using cleanup = new AsyncDisposableStack();
  const directory = cleanup.use(await startedDirectory());
  const smtp = cleanup.adopt(await startSmtp(), ({ close }) => close());
  const start = () => startProcess("server/build/site.js", { DATA_DIR: directory.path, SMTP_URL: smtp.url, ...KEY });

  const first = await start();
  const staff = await signIn(first.url);
  const date = { id: crypto.randomUUID(), course_name: "Lvl 2 CCTV", course_date: "2031-03-10T09:00Z", capacity: 4 };
  await staff.from("course_dates").insert(date).throwOnError();
  await staff.from("bookings").insert({ course_id: date.id, name: "Ada", email: "ada@mail.example", places: 1 }).throwOnError();
  const { data: letter } = await staff.from("letters").select("id").eq("kind", "confirmation").single().throwOnError();
  await staff.rpc("change_letter", { letter: letter.id, act: "send" }).throwOnError();
  await first.stop();

  const answered = Promise.withResolvers<void>();
  smtp.answer.after = answered.promise;
  const second = await start();
  await expect.poll(() => smtp.received.map(({ to }) => to)).toEqual(["ada@mail.example"]);
  const stopping = second.stop();
  await Promise.race([stopping, delay(1000)]);
  answered.resolve();
  expect(await stopping).toBe(0);

  await using third = await start();
  const { data } = await (await signIn(third.url)).from("letters").select("state").eq("id", letter.id);
  expect(data).toEqual([{ state: "sent" }]);
});
