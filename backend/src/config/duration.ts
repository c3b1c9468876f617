import { z } from "zod";

const UNIT_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The range of Go's durations, about 292 years. */
const MAX_MS = 2 ** 63 / 1e6;

/** Parses a Go duration ("24h", "1h30m", "-5m") into milliseconds; undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  const [, sign, parts] = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(text) ?? [];
  if (parts === undefined) return undefined;
  const ms = [...parts.matchAll(/([\d.]+)([^\d.]+)/gy)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ""] ?? 0),
    0,
  );
  if (ms > MAX_MS) return undefined;
  return sign === "-" ? -ms : ms;
}

/** A duration of config.toml ("1m0s"), in seconds. */
export const durationSchema = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 0) return ms / 1000;
  context.addIssue({ code: "custom", message: 'must be a duration such as "90s" or "1h30m"' });
  return z.NEVER;
});
