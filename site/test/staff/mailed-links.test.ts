import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { provider } from "content/provider.ts";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import { readLinkToken } from "../../app/portal/set-up/link-token.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "../support/project.ts";

/** Causes a mail to an address of a member of staff, or to a new address. */
const MAILS: Record<string, (project: Project, email: string) => Promise<{ error: unknown }>> = {
  invite: ({ service }, email) => service.auth.admin.inviteUserByEmail(email),
  async recovery(project, email) {
    await project.staff(email);
    return project.visitor.auth.resetPasswordForEmail(email);
  },
  async magiclink(project, email) {
    await project.staff(email);
    return project.visitor.auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
  },
  async signup({ service, visitor }, email) {
    await service.auth.admin.createUser({ email, password: "a walk along the ridge" });
    return visitor.auth.resend({ type: "signup", email });
  },
  async email_change(project, email) {
    const { accessToken } = await project.staff(`old-${email}`);
    const response = await project.backend.fetch(
      new Request(`${PROJECT_URL}/auth/v1/user`, {
        method: "PUT",
        headers: { apikey: PUBLISHABLE_KEY, Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" },
        body: JSON.stringify({ email }),
      }),
    );
    return { error: response.ok ? null : await response.text() };
  },
};

describeDatabases("mailed links", (open) => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(open);
  });

  function browser(): SupabaseClient {
    return createClient(PROJECT_URL, PUBLISHABLE_KEY, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { fetch: (input, init) => project.backend.fetch(new Request(input, init)) },
    });
  }

  async function mailTo(kind: string): Promise<{ email: string; subject: string; text: string; html: string }> {
    const email = `${kind}-${crypto.randomUUID()}@site.example`;
    expect((await MAILS[kind]?.(project, email))?.error).toBeNull();
    const [mail] = await project.database.transaction((tx) =>
      tx.query<{ subject: string; text: string; html: string }>(
        "select subject, body_text as text, body_html as html from auth.mail_outbox where recipient = $1",
        [email],
      ),
    );
    if (!mail) throw new Error(`no mail of the kind ${kind}`);
    return { email, ...mail };
  }

  test.each(Object.keys(MAILS))("the mail %s names the provider and has its token in the fragment only", async (kind) => {
    const { subject, text, html } = await mailTo(kind);
    for (const part of [subject, text, html]) expect(part).toContain(provider.name);
    // A program that opens the links of the mail sends no token to the server.
    const links = [...`${text} ${html}`.matchAll(/https?:[^\s"<]+/g)].map(([link]) => new URL(link.replaceAll("&amp;", "&")));
    expect(new Set(links.map((link) => link.origin + link.pathname + link.search))).toEqual(new Set([`${PROJECT_URL}/admin/password`]));
    const tokens = links.filter(({ hash }) => hash !== "").map(({ hash }) => readLinkToken(hash));
    expect(tokens).toHaveLength(2);
    expect(tokens[0]).toEqual(tokens[1]);
    const [token] = tokens;
    if (!token) throw new Error("The mail has no token");
    expect(token.type).toBe(kind);
    const { error } = await browser().auth.verifyOtp(token);
    expect(error).toBeNull();
  });

  test.each(["invite", "recovery", "magiclink"])("the code of the mail %s signs in with its address, once", async (kind) => {
    const { email, text } = await mailTo(kind);
    const token = /code: (\d+)$/m.exec(text)?.[1] ?? "";
    expect((await browser().auth.verifyOtp({ type: "email", email: `x${email}`, token })).error?.code).toBe("otp_expired");
    const client = browser();
    expect((await client.auth.verifyOtp({ type: "email", email, token })).error).toBeNull();
    expect((await client.auth.updateUser({ password: "across the packhorse bridge" })).error).toBeNull();
    expect((await browser().auth.verifyOtp({ type: "email", email, token })).error?.code).toBe("otp_expired");
  });

  test("a request for a mail has the same response for a known and an unknown address", async () => {
    await project.staff("known@site.example");
    const answers = await Promise.all(
      ["known@site.example", "unknown@site.example"].map(async (email) => {
        const response = await project.backend.fetch(
          new Request(`${PROJECT_URL}/auth/v1/recover`, {
            method: "POST",
            headers: { apikey: PUBLISHABLE_KEY, "Content-Type": "application/json" },
            body: JSON.stringify({ email }),
          }),
        );
        return [response.status, await response.text()];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });
});
