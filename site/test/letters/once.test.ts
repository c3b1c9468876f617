import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { describeDatabases } from "backend/test/database.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import sendLetters from "../../../supabase/functions/send-letters/index.ts";
import { PROJECT_URL, SECRET_KEY } from "../support/project.ts";
import { lettersFixture, NOW } from "./letters-fixture.ts";

const DUE = NOW.add({ minutes: 6 });
/** A time after the end of the lease. */
const LATER = DUE.add({ minutes: 3 });

describeDatabases("a letter is sent once", (open) => {
  const opened = lettersFixture(open);
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);

  beforeEach(async () => {
    const { book, addDate, at, sql } = opened();
    await book(await addDate(), { email: "ada@mail.example" });
    await sql("delete from public.letters where kind <> 'confirmation'");
    await at(DUE);
  });
  afterEach(() => warn.mockClear());

  /** Calls the function as a process that loses the backend at the named call: from then on each of its calls fails. */
  async function endAt(rpc: string, after = false): Promise<void> {
    const { project, smtp } = opened();
    let ended = false;
    const env = { SUPABASE_URL: PROJECT_URL, SUPABASE_SECRET_KEY: SECRET_KEY, SMTP_URL: smtp.url };
    const context = {
      env,
      async fetch(input: RequestInfo | URL, init?: RequestInit) {
        const request = new Request(input, init);
        const reached = request.url.endsWith(`/rpc/${rpc}`);
        if (reached && after && !ended) await project.backend.fetch(request);
        ended ||= reached;
        return ended ? Response.json({ message: "the process ended" }, { status: 500 }) : project.backend.fetch(request);
      },
    };
    await expect(sendLetters.fetch(new Request(PROJECT_URL, { method: "POST" }), context)).rejects.toThrow("stored");
  }

  /** The mail server refuses the confirmation, and staff correct the address: another confirmation is due. */
  async function refuseFirst(): Promise<void> {
    const { sql, staff, at } = opened();
    await sql("update public.letters set state = 'failed', problem = 'refused'");
    await staff.from("bookings").update({ email: "ada@work.example" }).eq("status", "active");
    await sql("delete from public.letters where kind <> 'confirmation'");
    await at(DUE.add({ minutes: 6 }));
  }

  test("if its process ends before the hand-over: the mail server got no end of the message", async () => {
    const { smtp, send, at, states } = opened();
    await endAt("hand_over_letter");
    expect(smtp.received).toEqual([]);
    await send();
    expect(smtp.received).toEqual([]);
    await at(LATER);
    await send();
    expect(smtp.received).toHaveLength(1);
    expect(await states()).toEqual(["confirmation sent"]);
  });

  test("if its process ends after the mail server accepted it: staff see that it is unclear, and it is not sent again", async () => {
    const { smtp, send, at, states } = opened();
    await endAt("note_letter");
    expect(smtp.received).toHaveLength(1);
    await at(LATER);
    await send();
    expect(smtp.received).toHaveLength(1);
    expect(await states()).toEqual(["confirmation failed unclear"]);
  });

  test("and staff can send an unclear one again, under the same Message-ID", async () => {
    const { smtp, send, at, states, staff, letters } = opened();
    await endAt("note_letter");
    await at(LATER);
    await send();
    const [letter] = await letters();
    for (const act of ["resend", null]) expect((await staff.rpc("change_letter", { letter: letter?.id, act })).error?.code).toBe("22023");
    expect((await staff.rpc("change_letter", { letter: letter?.id, act: "send" })).error).toBeNull();
    await send();
    const ids = smtp.received.map(({ raw }) => /^Message-ID: (.*)/m.exec(raw)?.[1]);
    expect(ids).toEqual([expect.stringContaining(`letter-${letter?.id}@`), ids[0]]);
    expect(await states()).toEqual(["confirmation sent"]);
    expect((await staff.rpc("change_letter", { letter: letter?.id, act: "send" })).error?.code).toBe("PT412");
  });

  test("although the answer of the mail server is lost", async () => {
    const { project, at, states, send, smtp } = opened();
    const server = createServer(loseLastAnswer).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const env = { SUPABASE_URL: PROJECT_URL, SUPABASE_SECRET_KEY: SECRET_KEY, SMTP_URL: `smtp://127.0.0.1:${address.port}` };
    const context = { env, fetch: (input: RequestInfo | URL, init?: RequestInit) => project.backend.fetch(new Request(input, init)) };
    expect((await sendLetters.fetch(new Request(PROJECT_URL, { method: "POST" }), context)).status).toBe(202);
    server.close();
    expect(await states()).toEqual(["confirmation failed unclear"]);
    await at(LATER);
    await send();
    expect(smtp.received).toEqual([]);
  });

  test("and not at all if its booking is cancelled while it is transmitted", async () => {
    const { project, smtp, staff, states } = opened();
    const env = { SUPABASE_URL: PROJECT_URL, SUPABASE_SECRET_KEY: SECRET_KEY, SMTP_URL: smtp.url };
    const context = {
      env,
      async fetch(input: RequestInfo | URL, init?: RequestInit) {
        const request = new Request(input, init);
        if (request.url.endsWith("/rpc/hand_over_letter"))
          await staff.from("bookings").update({ status: "cancelled" }).eq("status", "active");
        return project.backend.fetch(request);
      },
    };
    expect((await sendLetters.fetch(new Request(PROJECT_URL, { method: "POST" }), context)).status).toBe(200);
    expect(smtp.received).toEqual([]);
    // The customer does not know of the booking, so its cancellation needs no letter.
    expect(await states()).toEqual(["confirmation withdrawn changed"]);
  });

  test("is tried again after growing delays, and is shown as failed after a day", async () => {
    const { smtp, send, at, states, letters, sql } = opened();
    smtp.refuse.with = 451;
    let now = DUE;
    for (const tries of [1, 2, 11, 12]) {
      await sql(`update public.letters set tries = ${tries - 1}`);
      expect(await send()).toBe(202);
      expect((await letters())[0]?.tries).toBe(tries);
      // Not before the delay is over.
      expect(await send()).toBe(200);
      now = now.add({ hours: 4 });
      await at(now);
    }
    expect(await states()).toEqual(["confirmation failed gave_up"]);
    smtp.refuse.with = 0;
    await send();
    expect(smtp.received).toEqual([]);
  });

  test("fails at once if the mail server refuses the address for good", async () => {
    const { smtp, send, states, staff } = opened();
    smtp.refuse.with = 550;
    expect(await send()).toBe(202);
    expect(await states()).toEqual(["confirmation failed refused"]);
    expect((await staff.from("letters").select("response")).data?.[0]?.response).toContain("550");
  });

  test("and staff cannot send an older one of its kind meanwhile", async () => {
    const { project, staff, states, letters, send } = opened();
    await refuseFirst();
    const refused = (await letters()).find(({ state }) => state === "failed");
    expect((await project.service.rpc("claim_letter")).data).not.toBeNull();
    expect((await staff.rpc("change_letter", { letter: refused?.id, act: "send" })).error?.code).toBe("PT412");
    await send();
    expect((await states()).toSorted()).toEqual(["confirmation failed refused", "confirmation sending"]);
  });

  test("although its process ends while another of its kind is unsent too", async () => {
    const { project, sql, at, send, states, received } = opened();
    await refuseFirst();
    await project.service.rpc("claim_letter");
    await sql("update public.letters set state = 'waiting', problem = null where state = 'failed'");
    await at(DUE.add({ minutes: 9 }));
    expect((await project.service.rpc("apply_retention")).error).toBeNull();
    await send();
    expect(received()).toEqual(["ada@work.example: Your booking: Manual Handling, Monday 7 January 2030"]);
    expect((await states()).toSorted()).toEqual(["confirmation sent", "confirmation withdrawn changed"]);
  });

  test("although its booking is changed while another of its kind is unsent too", async () => {
    const { project, sql, staff, states } = opened();
    await refuseFirst();
    await project.service.rpc("claim_letter");
    await sql("update public.letters set state = 'sending', problem = null where state = 'failed'");
    expect((await staff.from("bookings").update({ email: "ada@mail.example" }).eq("status", "active")).error).toBeNull();
    expect((await states()).filter((state) => state.startsWith("confirmation")).toSorted()).toEqual([
      "confirmation waiting",
      "confirmation withdrawn changed",
    ]);
  });

  test("waits while no mail server is configured", async () => {
    const { project, states } = opened();
    const env = { SUPABASE_URL: PROJECT_URL, SUPABASE_SECRET_KEY: SECRET_KEY };
    const context = { env, fetch: (input: RequestInfo | URL, init?: RequestInit) => project.backend.fetch(new Request(input, init)) };
    expect((await sendLetters.fetch(new Request(PROJECT_URL, { method: "POST" }), context)).status).toBe(200);
    expect(await states()).toEqual(["confirmation waiting"]);
  });
});

/** A mail server that closes the connection in place of an answer to a whole message. */
function loseLastAnswer(socket: Socket): void {
  let message: string | undefined;
  socket.on("error", () => undefined);
  socket.write("220 mail.example\r\n");
  socket.on("data", (chunk: Buffer) => {
    const text = chunk.toString();
    if (message !== undefined) {
      message += text;
      if (message.endsWith("\r\n.\r\n")) socket.destroy();
      return;
    }
    if (text.startsWith("DATA")) message = "";
    socket.write(message === "" ? "354 go on\r\n" : "250 ok\r\n");
  });
}
