import type { TestAuth } from "../fixture.ts";

/** A mail as its recipient sees it. */
interface ReadMail {
  kind: string;
  subject: string;
  text: string;
  html: string;
  /** The code and the link in the mail; empty if there is none. */
  code: string;
  link: string;
  hash: string;
}

/** Takes the mails for a mailbox out of the outbox, oldest first. */
export async function takeMails(api: TestAuth, recipient: string): Promise<ReadMail[]> {
  const rows = await api.sql(
    `with taken as (delete from auth.mail_outbox where recipient = $1 returning *)
     select kind, subject, body_text as text, body_html as html from taken order by created_at`,
    [recipient],
  );
  return rows.map((row) => {
    const text = String(row.text);
    const link = /http\S+\/verify\?\S+/.exec(text)?.[0] ?? "";
    return {
      kind: String(row.kind),
      subject: String(row.subject),
      text,
      html: String(row.html),
      code: /(?:^|[ :])(\d{6,10})$/m.exec(text)?.[1] ?? "",
      link,
      hash: link === "" ? "" : (new URL(link).searchParams.get("token") ?? ""),
    };
  });
}

/** Takes the only mail for a mailbox out of the outbox. */
export async function takeMail(api: TestAuth, recipient: string): Promise<ReadMail> {
  const [mail, ...more] = await takeMails(api, recipient);
  if (!mail || more.length > 0) throw new Error(`${mail ? more.length + 1 : 0} mails for ${recipient}`);
  return mail;
}

/** Opens a mailed link like a browser; returns the target of the redirect. */
export async function openLink(api: TestAuth, link: string): Promise<URL> {
  const response = await api.fetch(new Request(link, { redirect: "manual" }));
  if (response.status !== 303) throw new Error(`The link answered ${response.status}`);
  return new URL(response.headers.get("location") ?? "");
}

/** Returns the parameters in the fragment of a URL. */
export function fragmentOf(url: URL): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.hash.slice(1)));
}
