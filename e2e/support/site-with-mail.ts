import { startSmtp } from "backend/test/smtp-server.ts";
import type { Deployment } from "./deployments.ts";
import { STAFF_ENV, startProcess } from "./product.ts";

/** A running product with a mail server. */
export interface SiteWithMail extends Deployment {
  smtp: Awaited<ReturnType<typeof startSmtp>>;
  /** The output of the product so far. */
  output(): string;
}

/** Starts the product as a single process that sends its mail to a mail server of the test. */
export async function startSiteWithMail(dataDir: string, settings: Record<string, string> = {}): Promise<SiteWithMail> {
  await using started = new AsyncDisposableStack();
  const smtp = started.adopt(await startSmtp(), ({ close }) => close());
  const env = { DATA_DIR: dataDir, ...STAFF_ENV, SMTP_URL: smtp.url, ...settings };
  const { url, output } = started.use(await startProcess("server/build/site.js", env));
  const running = started.move();
  return { url, smtp, output, stop: () => running.disposeAsync() };
}
