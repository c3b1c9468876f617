import { z } from "zod";

/** What `website_stats` gives. */
export const sumsSchema = z.object({
  periodDays: z.number(),
  uniqueVisitors: z.number(),
  totalPageViews: z.number(),
  mostViewedPages: z.array(z.object({ page_path: z.string(), views: z.number() })),
});

const namedSchema = z.array(z.object({ name: z.string(), views: z.number() }));

/** What `website_stats_details` gives. */
export const detailsSchema = z.object({
  days: z.array(z.object({ day: z.string(), views: z.number(), visitors: z.number() })),
  before: z.object({ uniqueVisitors: z.number(), totalPageViews: z.number() }),
  objections: z.number(),
  referrers: namedSchema,
  devices: namedSchema,
  funnel: z.array(z.object({ page_path: z.string(), views: z.number(), enquiries: z.number(), bookings: z.number() })),
});
