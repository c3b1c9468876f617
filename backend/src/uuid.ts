import { z } from "zod";

/** A UUID of any version, as Postgres accepts it. */
export const uuid = z.guid();
