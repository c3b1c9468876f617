import { once } from "node:events";
import { createServer } from "node:net";
import { describeDatabases } from "backend/test/database.ts";
import { startSmtp } from "backend/test/smtp-server.ts";
import { provider } from "content/provider.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import mailEnquiries from "../../../supabase/functions/mail-enquiries/index.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, SECRET_KEY, type Project } from "../support/project.ts";

const enquiry = { name: "Ada Lovelace", reply_to: "ada@mail.example", course_name: "CCTV Operator", message: "When is the next one?" };

describeDatabases("mail about enquiries", (open) => {
  let project: Project;
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  // Edge functions log a failed message to the console.
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);

  beforeAll(async () => {
    smtp = await startSmtp();
    vi.stubEnv("SMTP_URL", smtp.url);
    vi.stubEnv("MAIL_FROM", "Website <website@larkfell.example>");
    project = await openProject(open);
  });
  afterEach(async () => {
    warn.mockClear();
    smtp.received.length = 0;
    smtp.refuse.with = 0;
    delete smtp.refuse.text;
    await project.service.from("enquiries").delete().not("id", "is", null);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await smtp.close();
  });

  const mail = (): Promise<Response> =>
    project.backend.fetch(
      new Request(`${PROJECT_URL}/functions/v1/mail-enquiries`, { method: "POST", headers: { apikey: PUBLISHABLE_KEY } }),
    );

  test("is sent once for each enquiry, and a reply goes to the visitor", async () => {
    await project.service.from("enquiries").insert(enquiry);
    const answers = await Promise.all([mail(), mail(), mail()]);
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([{ done: true }, { done: true }, { done: true }]);
    expect(smtp.received).toHaveLength(1);
    const { from, to, raw = "" } = smtp.received[0] ?? {};
    expect([from, to]).toEqual(["website@larkfell.example", provider.email]);
    expect(raw).toMatch(/^Subject: Enquiry from Ada Lovelace about CCTV Operator/m);
    expect(raw).toMatch(/^Reply-To: Ada Lovelace <ada@mail\.example>/m);
    expect(raw).toContain("When is the next one?");
    await project.database.transaction((tx) => tx.query("update private.enquiry_mails set try_after = now()"));
    await mail();
    expect(smtp.received).toHaveLength(1);
  });

  test("is sent for a visitor with a phone number, and no line of the enquiry becomes a header", async () => {
    const name = "Eve\r\nBcc: everyone@mail.example";
    await project.service.from("enquiries").insert({ ...enquiry, name, reply_to: "01632 960 900", course_name: null });
    await mail();
    const [head = "", text] = smtp.received[0]?.raw.split("\r\n\r\n", 2) ?? [];
    expect(head).not.toMatch(/^(Bcc|Reply-To):/im);
    expect(smtp.received[0]?.to).toBe(provider.email);
    expect(text).toContain(name);
    expect(smtp.received[0]?.raw).toContain("01632 960 900");
  });

  test("is sent again later if the mail server refused it, and not before", async () => {
    smtp.refuse.with = 451;
    await project.service.from("enquiries").insert(enquiry);
    const answer = await mail();
    expect([answer.status, await answer.json()]).toEqual([202, { done: false }]);
    // The log contains no address.
    expect(warn.mock.calls).toEqual([["A mail about an enquiry failed and will be tried again.", "451"]]);
    smtp.refuse.with = 0;
    await mail();
    expect(smtp.received).toEqual([]);
    await project.database.transaction((tx) => tx.query("update private.enquiry_mails set try_after = now()"));
    await mail();
    expect(smtp.received).toHaveLength(1);
  });

  test("is sent once while the mail server takes longer for an earlier one than a claim lasts", async () => {
    const answered = Promise.withResolvers<void>();
    smtp.answer.after = answered.promise;
    for (const name of ["Ben", "Zoe"]) await project.service.from("enquiries").insert({ ...enquiry, name });
    const slow = mail();
    await expect.poll(() => smtp.received).toHaveLength(1);
    delete smtp.answer.after;
    await project.database.transaction((tx) =>
      tx.query(`update private.enquiry_mails set try_after = now()
        where enquiry_id in (select id from public.enquiries where name = 'Zoe')`),
    );
    await mail();
    answered.resolve();
    await slow;
    expect(smtp.received.map(({ raw }) => /^Subject: Enquiry from (\w+)/m.exec(raw)?.[1])).toEqual(["Ben", "Zoe"]);
  });

  test.each([554, 451])("is sent although the mail server refuses an earlier one with %i", async (code) => {
    smtp.refuse.with = code;
    smtp.refuse.text = "Spam";
    await project.service.from("enquiries").insert({ ...enquiry, message: "Spam" });
    for (const name of ["Ben", "Zoe"]) await project.service.from("enquiries").insert({ ...enquiry, name });
    expect((await mail()).status).toBe(202);
    expect(smtp.received.map(({ raw }) => /^Subject: Enquiry from (\w+)/m.exec(raw)?.[1])).toEqual(["Ben", "Zoe"]);
    const { data } = await project.service.from("enquiries").select("name").eq("message", "Spam");
    expect(data).toHaveLength(1);
  });

  test("is not tried for the others if the connection to the mail server fails", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const env = { SUPABASE_URL: PROJECT_URL, SUPABASE_SECRET_KEY: SECRET_KEY, SMTP_URL: `smtp://127.0.0.1:${address.port}` };
    for (const name of ["Ben", "Zoe"]) await project.service.from("enquiries").insert({ ...enquiry, name });
    const context = { env, fetch: (input: RequestInfo | URL, init?: RequestInit) => project.backend.fetch(new Request(input, init)) };
    expect((await mailEnquiries.fetch(new Request(PROJECT_URL, { method: "POST" }), context)).status).toBe(202);
    server.close();
    expect(connections).toBe(1);
  });

  describe("of a request for places", () => {
    async function request(values: object = {}): Promise<void> {
      const date = { course_name: "Lvl 2 CCTV", course_date: "2031-03-03T09:00Z", capacity: 4, ...values };
      const { data } = await project.service.from("course_dates").upsert(date).select("id").single();
      const { error } = await project.service.rpc("request_place", {
        id: crypto.randomUUID(),
        course_id: data?.id,
        name: "Ada http://spam.example",
        email: `${crypto.randomUUID()}@mail.example`,
        phone: "07700 900 123",
        places: 2,
        message: "Buy cheap watches",
      });
      if (error) throw error;
      await mail();
    }
    const mailsTo = (office: boolean) =>
      smtp.received.filter(({ to }) => (to === provider.email) === office).map(({ raw }) => unfolded(raw));

    test("describes to the office how to reach the visitor, and to the visitor what happens next, with a calendar file", async () => {
      await request();
      expect(mailsTo(true)).toEqual([expect.stringMatching(/07700 900 123[\s\S]*Buy cheap watches/)]);
      const [confirmation = "", ...more] = mailsTo(false);
      expect(more).toEqual([]);
      expect(confirmation).toContain("We have your request for 2 places.");
      expect(confirmation).toContain("Monday 3 March 2031, 09:00 to 17:00, until Friday 7 March 2031");
      expect(confirmation).toMatch(/Your reference: [0-9A-F]{4}-[0-9A-F]{4}/);
      expect(confirmation).toContain("We do not hold a place for you yet.");
      const [, calendar = ""] = /filename=cctv\.ics\s+([A-Za-z0-9+/=\s]+)--/.exec(confirmation) ?? [];
      const file = Buffer.from(calendar, "base64").toString();
      expect(file).toContain("DTSTART;TZID=Europe/London:20310303T090000\r\nDTEND;TZID=Europe/London:20310303T170000");
      expect(file).toContain("STATUS:TENTATIVE");
    });

    test("says to both until when the places are held", async () => {
      const { client } = await project.staff("holder@site.example");
      await client.rpc("set_hold_hours", { hours: 48 });
      await request();
      await client.rpc("set_hold_hours");
      expect(mailsTo(true)[0]).toMatch(/Held until \w+day/);
      expect(mailsTo(false)[0]).toMatch(/We hold them for you until \w+day,? .*\d\d:\d\d\. We call or write/);
    });

    test("says to the office if the visitor was on the waiting list already", async () => {
      const date = { id: crypto.randomUUID(), status: "full" };
      await request(date);
      await request(date);
      expect(mailsTo(true)).toEqual([
        expect.stringContaining("joined the waiting list for 2 places"),
        expect.stringContaining("is on the waiting list already and would like 2 places"),
      ]);
    });

    test("confirms a place on the waiting list without a calendar file", async () => {
      await request({ status: "full" });
      expect(mailsTo(false)).toEqual([expect.stringContaining("You are on the waiting list for 2 places.")]);
      expect(mailsTo(false)[0]).not.toContain(".ics");
    });

    test("sends no text of the visitor to an address that may be that of somebody else", async () => {
      await request();
      expect(mailsTo(false)[0]).not.toMatch(/spam|watches/i);
    });
  });

  test("cannot be claimed by visitors or staff", async () => {
    const { client } = await project.staff("office@site.example");
    for (const caller of [project.visitor, client]) expect((await caller.rpc("claim_enquiry_mails")).error?.code).toBe("42501");
  });
});

/** A mail with its soft line breaks joined. */
function unfolded(raw: string): string {
  return raw.replaceAll("=\r\n", "").replaceAll("=E2=80=99", "’");
}
