import type { Database } from "../../db/database.ts";
import { HOUR_MS, type Job } from "../../jobs.ts";
import type { Renditions } from "./renditions.ts";

// The digests of `digestOf` in rendition-cache.ts.
const UNKNOWN = `select jsonb_array_elements_text($1::text::jsonb) as digest
  except select left(encode(sha256(convert_to(version, 'UTF8')), 'hex'), 32) from storage.objects`;

/** The job that removes the renditions of objects that another process deleted, or that were deleted while they were rendered. */
export function renditionSweepJob(database: Database, { sweep }: Renditions): Job {
  async function findUnknown(digests: readonly string[]): Promise<string[]> {
    const rows = await database.transaction((tx) => tx.query<{ digest: string }>(UNKNOWN, [JSON.stringify(digests)]), { readOnly: true });
    return rows.map(({ digest }) => digest);
  }
  return { name: "rendition-sweep", intervalMs: HOUR_MS, everyProcess: true, run: () => sweep(findUnknown) };
}
