import { DAY_MS } from "../../../time/durations.ts";

/** The light in the picture of the hero. */
export type Daylight = "dawn" | "day" | "dusk" | "night";

const J2000 = Date.UTC(2000, 0, 1, 12);
// The sun's height in degrees at the end of civil twilight, and at which daylight has no colour left.
const TWILIGHT_ENDS = -6;
const FULL_DAY = 6;

/** The light at a location, from the sun's height (low-precision formula of the Astronomical Almanac, accurate to a degree). */
export function daylight(instant: Date, location: { latitude: number; longitude: number }): Daylight {
  const days = (instant.getTime() - J2000) / DAY_MS;
  const meanLongitude = 280.46 + 0.9856474 * days;
  const anomaly = 357.528 + 0.9856003 * days;
  const longitude = meanLongitude + 1.915 * sin(anomaly) + 0.02 * sin(2 * anomaly);
  const obliquity = 23.439 - 0.0000004 * days;
  const declination = degrees(Math.asin(sin(obliquity) * sin(longitude)));
  const ascension = degrees(Math.atan2(cos(obliquity) * sin(longitude), cos(longitude)));
  const siderealTime = 280.46061837 + 360.98564736629 * days + location.longitude;
  const hourAngle = siderealTime - ascension;
  const height = degrees(Math.asin(sin(location.latitude) * sin(declination) + cos(location.latitude) * cos(declination) * cos(hourAngle)));

  if (height >= FULL_DAY) return "day";
  if (height <= TWILIGHT_ENDS) return "night";
  return sin(hourAngle) < 0 ? "dawn" : "dusk";
}

function sin(angle: number): number {
  return Math.sin((angle * Math.PI) / 180);
}

function cos(angle: number): number {
  return Math.cos((angle * Math.PI) / 180);
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}
