import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { describeDatabases } from "backend/test/database.ts";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { lettersFixture, NOW } from "./letters-fixture.ts";

const SECRET = `v1,whsec_${Buffer.from("the secret of the text messages").toString("base64")}`;
const LATER = NOW.add({ minutes: 6 });
const MOBILE = "+44 (0)7700 900123";
const eventSchema = z.object({ sms: z.object({ sms_type: z.literal("letter"), phone: z.string(), message: z.string() }) });

/** A service for text messages on loopback; it refuses requests without a valid signature. */
async function startService(): Promise<{ server: Server; url: string; taken: string[]; ids: string[]; answer: { with: number } }> {
  const taken: string[] = [];
  const ids: string[] = [];
  const answer = { with: 200 };
  const webhook = new Webhook(SECRET.replace("v1,", ""));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const { sms } = eventSchema.parse(webhook.verify(Buffer.concat(chunks).toString(), headers));
      ids.push(headers["webhook-id"] ?? "");
      if (answer.with === 200) taken.push(`${sms.phone}: ${sms.message}`);
      response.writeHead(answer.with).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The service has no port");
  return { server, url: `http://127.0.0.1:${address.port}/sms`, taken, ids, answer };
}

describeDatabases("letters as text messages", (open) => {
  // Stubbed before the project reads its environment.
  let service: Awaited<ReturnType<typeof startService>>;
  beforeAll(async () => {
    service = await startService();
    vi.stubEnv("SMS_HOOK_URL", service.url);
    vi.stubEnv("SMS_HOOK_SECRET", SECRET);
  });
  const opened = lettersFixture(open);
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  beforeEach(async () => {
    service.taken.length = 0;
    service.answer.with = 200;
    await opened().sql("update public.letter_kinds set texts = 'off', text_message = null");
    await switchOn("confirmation");
  });
  afterAll(() => new Promise((resolve) => service.server.close(resolve)));

  async function switchOn(kind: string): Promise<void> {
    const { data } = await opened().staff.from("letter_kinds").update({ texts: "on" }).eq("id", kind).select("id");
    expect(data).toEqual([{ id: kind }]);
  }

  test("a person with a mobile number and no e-mail address gets them once, of the kinds that staff switched on", async () => {
    const { at, send, smtp, states, book, addDate } = opened();
    const date = await addDate();
    await book(date, { phone: MOBILE });
    await book(date, { phone: "01632 960 900" });
    await send();
    expect(service.taken).toEqual([]);
    await at(LATER);
    expect(await Promise.all([send(), send()])).toEqual([200, 200]);
    expect(service.taken).toEqual([
      expect.stringMatching(/^07700900123: .*your booking for Manual Handling is confirmed\. Monday 7 January 2030, 09:00/),
    ]);
    expect(smtp.received).toEqual([]);
    expect(await states()).toEqual(["confirmation sent"]);
  });

  test("have the text of staff, and reminders of earlier bookings follow when they are switched on", async () => {
    const { at, send, states, staff, book, addDate } = opened();
    await book(await addDate(), { phone: MOBILE });
    await staff.from("letter_kinds").update({ text_message: "{name}, see you on {date}." }).eq("id", "confirmation");
    await switchOn("reminder_day");
    await at(LATER);
    await send();
    expect(service.taken).toEqual(["07700900123: Ada, see you on Monday 7 January 2030."]);
    expect(await states()).toEqual(["confirmation sent", "reminder_day waiting"]);
  });

  test("become mails when the person gets an e-mail address, and follow a corrected number", async () => {
    const { at, send, states, received, staff, book, addDate } = opened();
    const date = await addDate();
    const [mailed, corrected] = [await book(date, { phone: MOBILE }), await book(date, { phone: MOBILE })];
    await at(LATER);
    await send();
    service.taken.length = 0;
    await staff.from("bookings").update({ phone: "07700 900456" }).eq("id", corrected);
    await staff.from("bookings").update({ email: "ada@mail.example" }).eq("id", mailed);
    await at(LATER.add({ minutes: 6 }));
    await send();
    expect(service.taken).toEqual([expect.stringMatching(/^07700900456: /)]);
    expect(received()).toEqual([expect.stringMatching(/^ada@mail.example: Your booking/)]);
    expect((await states()).filter((state) => state.startsWith("confirmation"))).toEqual(Array(4).fill("confirmation sent"));
  });

  test("are tried again under the same id after a fault of the service, and are shown as failed after a refusal", async () => {
    const { at, send, states, book, addDate } = opened();
    await book(await addDate(), { phone: MOBILE });
    service.ids.length = 0;
    service.answer.with = 503;
    await at(LATER);
    expect(await send()).toBe(202);
    expect(await states()).toEqual(["confirmation waiting"]);
    service.answer.with = 422;
    await at(LATER.add({ minutes: 3 }));
    expect(await send()).toBe(202);
    expect(await states()).toEqual(["confirmation failed refused"]);
    expect(new Set(service.ids).size).toBe(1);
    expect(service.ids).toHaveLength(2);
  });

  test("are not sent after staff switched them off, nor as the answer to an enquiry", async () => {
    const { at, send, states, staff, book, addDate } = opened();
    await book(await addDate(), { phone: MOBILE });
    await staff.from("letter_kinds").update({ texts: "off" }).eq("id", "confirmation");
    await at(LATER);
    await send();
    expect(service.taken).toEqual([]);
    expect(await states()).toEqual(["confirmation withdrawn switched_off"]);
    const { error } = await staff.from("letter_kinds").update({ texts: "on" }).eq("id", "acknowledgement");
    expect(error?.code).toBe("23514");
  });
});
