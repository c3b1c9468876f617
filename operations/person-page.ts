import { escapeHtml } from "backend/escape-html.ts";

const STYLE =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem}dl{display:grid;grid-template-columns:12rem 1fr;gap:.2rem 1rem;border-top:1px solid #999;padding-top:1rem}dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}";

const TITLES = [
  ["bookings", "Bookings"],
  ["waiting_list", "Waiting lists"],
  ["enquiries", "Enquiries"],
  ["letters", "Letters"],
  ["changes", "Changes of your records"],
  ["account", "Account for the staff portal"],
] as const;

type PersonData = Record<(typeof TITLES)[number][0], readonly Record<string, unknown>[]>;

/** The data about a person as a page for that person. */
export function personPage(contact: string, data: PersonData): string {
  const parts = TITLES.map(([name, title]) => {
    const rows = data[name];
    return `<h2>${title}</h2>\n${rows.length === 0 ? "<p>Nothing.</p>" : rows.map(toList).join("\n")}`;
  });
  const title = `What we store about ${contact}`;
  return `<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<h1>${escapeHtml(title)}</h1>
${parts.join("\n")}
</html>
`;
}

function toList(row: Record<string, unknown>): string {
  const lines = Object.entries(row).flatMap(([name, value]) =>
    value === null ? [] : [`<dt>${escapeHtml(name.replaceAll("_", " "))}</dt><dd>${escapeHtml(inWords(value))}</dd>`],
  );
  return `<dl>${lines.join("")}</dl>`;
}

function inWords(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}
