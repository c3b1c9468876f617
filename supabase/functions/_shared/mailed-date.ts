import { z } from "zod";

/** The columns of a course date that mails show. */
export const mailedDateSchema = z.object({
  id: z.string(),
  course_name: z.string(),
  course_date: z.string(),
  end_date: z.string().nullable(),
  status: z.string(),
  updated_at: z.string(),
});

export type MailedDate = z.infer<typeof mailedDateSchema>;
