// Separate from the courses, so that the scripts of the portal do not contain the texts of all courses.

/** The course names in the order of the admin select. */
export const courseNames = [
  "Lvl 2 Door Supervisor",
  "Lvl 2 Security Officer",
  "Lvl 2 CCTV",
  "Lvl 3 Close Protection",
  "Door Supervisor Refresher Course",
  "Security Officer Refresher Course",
  "Emergency First Aid",
  "Emergency First Aid Work Level 3",
  "First Aid at Work",
  "First Aid at Work Level 3",
  "Annual First Aid Refresher Course",
  "Health & Safety in Workplace Level 1",
  "Manual Handling",
  "Safeguarding Awareness Training Level 1",
  "Safeguarding Lead Training Level 3",
] as const;

/** The allowed course names of a course date; the admin select offers exactly these. */
export type CourseName = (typeof courseNames)[number];

/** The working days of courses longer than a day. */
export const severalDays: Partial<Record<CourseName, number>> = {
  "Lvl 2 Door Supervisor": 8,
  "Lvl 2 Security Officer": 6,
  "Lvl 2 CCTV": 5,
  "Lvl 3 Close Protection": 24,
  "Door Supervisor Refresher Course": 4,
  "Security Officer Refresher Course": 2,
  "First Aid at Work Level 3": 3,
};
