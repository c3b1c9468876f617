import { addDays, weekdayOf } from "./london-time.ts";

/** The name of the bank holiday in England on a day such as `2026-12-25`; undefined on other days. Holidays of a single year are unknown. */
export function bankHoliday(day: string): string | undefined {
  return holidaysOf(Number(day.slice(0, 4))).get(day);
}

function holidaysOf(year: number): ReadonlyMap<string, string> {
  const easter = easterSunday(year);
  return new Map([
    [substitute(`${year}-01-01`, 2, 1), "New Year’s Day"],
    [addDays(easter, -2), "Good Friday"],
    [addDays(easter, 1), "Easter Monday"],
    [mondayFrom(`${year}-05-01`), "Early May bank holiday"],
    [mondayFrom(`${year}-05-25`), "Spring bank holiday"],
    [mondayFrom(`${year}-08-25`), "Summer bank holiday"],
    [substitute(`${year}-12-25`, 2, 2), "Christmas Day"],
    [substitute(`${year}-12-26`, 2, 2), "Boxing Day"],
  ]);
}

/** The day itself, or a number of days later if it is a Saturday or a Sunday. */
function substitute(day: string, fromSaturday: number, fromSunday: number): string {
  return addDays(day, { 6: fromSaturday, 0: fromSunday }[weekdayOf(day)] ?? 0);
}

/** The first Monday on or after a day. */
function mondayFrom(day: string): string {
  return addDays(day, (8 - weekdayOf(day)) % 7);
}

/** Easter Sunday by the algorithm of Meeus, Jones and Butcher. */
function easterSunday(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  return addDays(`${year}-03-22`, epact + weekday - 7 * late);
}
