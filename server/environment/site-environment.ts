import { z } from "zod";

/** Variables of the site only: a remote backend to use instead of the embedded one, and the enquiry form. */
export const siteEnvironment = z
  .object({
    SUPABASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    SUPABASE_PUBLISHABLE_KEY: z.string().min(1).optional(),
    ENQUIRY_FORM_URL: z.url({ protocol: /^https$/ }).optional(),
  })
  .refine((env) => (env.SUPABASE_URL === undefined) === (env.SUPABASE_PUBLISHABLE_KEY === undefined), {
    path: ["SUPABASE_PUBLISHABLE_KEY"],
    message: "SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY go together",
  });
