import type { OpenDatabase } from "backend/test/database.ts";
import { startSmtp } from "backend/test/smtp-server.ts";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import { setClock } from "../support/clock.ts";
import { PROJECT_URL, PUBLISHABLE_KEY } from "../support/project.ts";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

/** The start of the course date of most tests: a Monday. */
export const START = "2030-01-07T09:00:00Z";
/** The time at which most tests begin: five weeks before that date. */
export const NOW = Temporal.Instant.from("2029-12-03T12:00:00Z");

/** A letter of the outbox. */
interface Letter {
  id: string;
  kind: string;
  state: string;
  problem: string | null;
  due_at: string;
  subject: string | null;
  tries: number;
}

/** A project with a mail server and a clock for the tests of a suite. */
interface LettersFixture extends StaffProject {
  smtp: Awaited<ReturnType<typeof startSmtp>>;
  /** Sets the clock. */
  at(time: Temporal.Instant | string): Promise<void>;
  /** Sends the letters that are due and returns the status. */
  send(): Promise<number>;
  /** The letters in the order in which they are due, as "kind state" with the problem. */
  states(): Promise<string[]>;
  letters(): Promise<Letter[]>;
  /** The recipients and subjects of the received mails. */
  received(): string[];
}

/** Opens a project for the tests of a suite; each test begins with an empty outbox at `NOW`. */
export function lettersFixture(open: OpenDatabase): () => LettersFixture {
  let fixture: LettersFixture | undefined;
  beforeAll(async () => {
    const smtp = await startSmtp();
    vi.stubEnv("SMTP_URL", smtp.url);
    const staffProject = await openStaffProject(open);
    const { project, staff } = staffProject;
    async function letters(): Promise<Letter[]> {
      const { data, error } = await staff.from("letters").select<"*", Letter>("*").order("due_at").order("kind");
      if (error) throw error;
      return data;
    }
    fixture = {
      ...staffProject,
      smtp,
      letters,
      at: (time) => setClock(project, Temporal.Instant.from(time.toString())),
      async send() {
        const headers = { apikey: PUBLISHABLE_KEY };
        const response = await project.backend.fetch(new Request(`${PROJECT_URL}/functions/v1/send-letters`, { method: "POST", headers }));
        return response.status;
      },
      states: async () => (await letters()).map(({ kind, state, problem }) => [kind, state, problem].filter(Boolean).join(" ")),
      received: () => smtp.received.map(({ to, raw }) => `${to}: ${/^Subject: ((?:.|\r\n )*)/m.exec(raw)?.[1]?.replaceAll("\r\n", "")}`),
    };
  });
  beforeEach(async () => {
    if (!fixture) return;
    fixture.smtp.received.length = 0;
    fixture.smtp.refuse.with = 0;
    delete fixture.smtp.refuse.text;
    await fixture.empty();
    await fixture.sql("update public.letter_kinds set sending = 'on', subject = null, body = null");
    await fixture.at(NOW);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await fixture?.smtp.close();
  });
  return () => {
    if (!fixture) throw new Error("The project is opened before the first test");
    return fixture;
  };
}
