/** The first that a browser's description of itself matches; those that also name another come before it. */
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

/** A device in plain words, "Chrome on Windows", from how its browser describes itself. */
export function deviceInWords(userAgent: string): string {
  const browser = nameOf(userAgent, BROWSERS);
  const system = nameOf(userAgent, SYSTEMS);
  if (browser === undefined && system === undefined) return "Another program";
  return `${browser ?? "A browser"} on ${system ?? "an unknown device"}`;
}

function nameOf(userAgent: string, names: readonly (readonly [RegExp, string])[]): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}
