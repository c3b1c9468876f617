const number = new Intl.NumberFormat("en-GB");
const percent = new Intl.NumberFormat("en-GB", { style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 });

/** Formats a count: 12,345. */
export function countText(count: number): string {
  return number.format(count);
}

/** Compares a figure with that of the same number of days before. */
export function comparisonText(now: number, before: number, days: number): string {
  const earlier = days === 1 ? "the day before" : `the ${days} days before`;
  if (before === 0) return `None in ${earlier}`;
  const change = Math.round((100 * (now - before)) / before) / 100;
  return `${change === 0 ? "About the same as" : `${percent.format(change)} on`} ${earlier} (${number.format(before)})`;
}

/** The maximum of the chart's scale: 2, 4, 10, 20, 40, 100 and so on, whose halves are whole numbers. */
export function scaleTop(most: number): number {
  let top = 2;
  while (top < most) top *= String(top).startsWith("4") ? 2.5 : 2;
  return top;
}
