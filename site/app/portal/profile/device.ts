/** Patterns of user agents in order: a browser that also names another one comes before it. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|Chromium\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPod/, "an iPhone"],
  [/iPad/, "an iPad"],
  [/Android(?:(?!Android).)*Mobile/, "an Android phone"],
  [/Android/, "an Android tablet"],
  [/CrOS/, "a Chromebook"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, "a Mac"],
  [/Linux|X11/, "Linux"],
];

/** Names the device of a user agent: "Chrome on Windows". */
export function deviceInWords(userAgent: string): string {
  const browser = nameOf(userAgent, BROWSERS);
  const system = nameOf(userAgent, SYSTEMS);
  if (browser === undefined && system === undefined) return "Another program";
  return `${browser ?? "A browser"} on ${system ?? "an unknown device"}`;
}

function nameOf(userAgent: string, names: readonly (readonly [RegExp, string])[]): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}
