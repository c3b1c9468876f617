import { join } from "node:path";
import { checkBackups } from "../doctor/backups.ts";
import { checkClock, checkDisk, checkModes, checkNode } from "../doctor/machine.ts";
import { checkMail } from "../doctor/mail.ts";
import { checkServer, checkSite } from "../doctor/site.ts";
import { localEnvironment } from "../source.ts";
import { count } from "../summary.ts";

const MARKS = { pass: "ok  ", warn: "WARN", fail: "FAIL" };

/** Examines the installation; returns its findings as text, and `ok` if nothing has to be repaired. Fails with a `StartError`. */
export async function doctor(): Promise<{ ok: boolean; text: string }> {
  const env = localEnvironment();
  const secret = [join(env.DATA_DIR, "secrets.json"), ".env", ...(env.BACKUP_DIR === undefined ? [] : [env.BACKUP_DIR])];
  const found = [
    checkNode(),
    await checkClock(),
    await checkDisk(env.DATA_DIR),
    ...(await checkModes(secret)),
    ...(await checkServer()),
    ...(await checkSite()),
    await checkMail(env),
    ...(await checkBackups(env)),
  ];
  const [fails, warns] = (["fail", "warn"] as const).map((wanted) => found.filter(({ state }) => state === wanted).length);
  const lines = found.map(({ state, text }) => `${MARKS[state]}  ${text}`);
  return { ok: fails === 0, text: [...lines, "", `${count(fails ?? 0, "problem")}, ${count(warns ?? 0, "warning")}.`].join("\n") };
}
