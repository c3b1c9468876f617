import { z } from "zod";

/** The result of `website_stats`. */
export const sumsSchema = z.object({
  periodDays: z.number(),
  uniqueVisitors: z.number(),
  totalPageViews: z.number(),
  mostViewedPages: z.array(z.object({ page_path: z.string(), views: z.number() })),
});

const namedSchema = z.array(z.object({ name: z.string(), views: z.number() }));

/** The result of `website_stats_details`. */
export const detailsSchema = z.object({
  days: z.array(z.object({ day: z.string(), views: z.number(), visitors: z.number() })),
  before: z.object({ uniqueVisitors: z.number(), totalPageViews: z.number() }),
  opt_outs: z.number(),
  referrers: namedSchema,
  devices: namedSchema,
  funnel: z.array(z.object({ page_path: z.string(), views: z.number(), enquiries: z.number(), bookings: z.number() })),
});
