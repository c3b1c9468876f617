import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";
import type { Database } from "../../database.types.ts";
import type { CountedView, Outcome } from "./recorder.ts";
import { summarise } from "./summary.ts";

const outcomesSchema = z.array(z.enum(["recorded", "unknown_page", "rate_limited"]));

/** Commits views that came together, with the service's rights, and tells of each in order what became of it; null where they could not be stored. */
export async function writeViews(
  project: SupabaseClient<Database>,
  views: readonly CountedView[],
  objections: number,
): Promise<(Outcome | undefined)[] | null> {
  const { places, ...group } = summarise(views, objections);
  const { data, error } = await project.rpc("record_page_views", group);
  if (error) return null;
  const outcomes = outcomesSchema.parse(data);
  return places.map((place) => (place === undefined ? "recorded" : outcomes[place]));
}
