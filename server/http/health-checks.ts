import { type Backend, diskSpace } from "backend";
import { z } from "zod";
import type { BackendEnvironment } from "../environment/environment.ts";
import type { Check, State } from "./health.ts";

const lateSchema = z.object({ mail: z.boolean(), backup: z.boolean() });

/** The checks of a backend: a write to its database, its files, and, where they are set up, waiting mails and the last backup. */
export function healthChecks(
  { claimJob, isStorageTied }: Pick<Backend, "claimJob" | "isStorageTied">,
  env: BackendEnvironment,
  callService: (name: string, values: object) => Promise<unknown>,
): Check[] {
  const write = { name: "health", intervalMs: 0, run: () => Promise.resolve() };

  /** A project may have no function of this name. */
  async function isLate(work: "mail" | "backup"): Promise<State> {
    const late = lateSchema.optional().parse(await callService("late_work", {}));
    return late?.[work] ? "warn" : "pass";
  }

  return [
    { name: "database", otherwise: "fail", run: async () => ((await claimJob(write)) ? "pass" : "fail") },
    {
      name: "storage",
      otherwise: "fail",
      run: async () => {
        // Without the sweep, the files need not be tied to the database.
        const isTied = (await isStorageTied()) || env.STORAGE_SWEEP === "off";
        return isTied && diskSpace(env.DATA_DIR) === "ok" ? "pass" : "warn";
      },
    },
    ...(env.SMTP_URL === undefined ? [] : [{ name: "mail", otherwise: "warn" as const, run: () => isLate("mail") }]),
    ...(env.BACKUP_DIR === undefined ? [] : [{ name: "backup", otherwise: "warn" as const, run: () => isLate("backup") }]),
  ];
}
