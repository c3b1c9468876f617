import nodemailer from "nodemailer";
import type { BackendEnvironment } from "server/environment/environment.ts";
import { fail, type Finding, pass, reasonOf, warn } from "./finding.ts";

const LIMITS = { connectionTimeout: "5000", greetingTimeout: "5000", socketTimeout: "5000" };

/** Checks that the mail server accepts the connection and the password. */
export async function checkMail({ SMTP_URL: smtpUrl }: BackendEnvironment): Promise<Finding> {
  if (smtpUrl === undefined) return warn("No mail server is set up: set SMTP_URL, or no mail is sent.");
  const url = new URL(smtpUrl);
  const { host } = url;
  for (const [name, value] of Object.entries(LIMITS)) url.searchParams.set(name, value);
  const transport = nodemailer.createTransport(url.href);
  try {
    await transport.verify();
    return pass(`The mail server ${host} accepts mails.`);
  } catch (error) {
    return fail(`The mail server ${host} cannot be used: ${reasonOf(error)}. Check SMTP_URL.`);
  } finally {
    transport.close();
  }
}
