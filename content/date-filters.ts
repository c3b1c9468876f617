/** The months, as in the address of a page that shows the dates of one. */
export const months = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
] as const;

export type Month = (typeof months)[number];

/** The days of the week on which dates run, as in the address of a page that shows only these. */
export const daysOfWeek = ["weekdays", "weekends"] as const;

export type DaysOfWeek = (typeof daysOfWeek)[number];
