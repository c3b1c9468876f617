import { listNames, RestError } from "../errors.ts";

type PlanOption = "analyze" | "verbose" | "settings" | "buffers" | "wal";

/** The format of a response, chosen by `Accept`. */
export type Media =
  | { kind: "json"; single: boolean; stripNulls: boolean; contentType: string }
  | { kind: "csv"; contentType: string }
  /** Rows as features, written by PostGIS. */
  | { kind: "geojson"; contentType: string }
  | { kind: "openapi"; contentType: string }
  | { kind: "plan"; format: "text" | "json"; options: readonly PlanOption[]; inner: Media; contentType: string };

const PLAN_OPTIONS: readonly PlanOption[] = ["analyze", "verbose", "settings", "buffers", "wal"];
const JSON_MEDIA: Media = { kind: "json", single: false, stripNulls: false, contentType: "application/json; charset=utf-8" };
const OPENAPI_MEDIA: Media = { kind: "openapi", contentType: "application/openapi+json; charset=utf-8" };

/** Chooses the response format from an `Accept` header. Fails with PGRST107 if none of the requested types is available. */
export function chooseMedia(accept: string | null, target: "root" | "relation", planEnabled: boolean): Media {
  const accepted = parseAccept(accept ?? "*/*");
  for (const { type, parameters } of accepted) {
    const media = target === "root" ? rootMedia(type) : relationMedia(type, parameters, planEnabled);
    if (media) return media;
  }
  const names = listNames(accepted.map(({ text }) => text));
  throw new RestError(406, "PGRST107", `None of these media types are available: ${names}`);
}

function rootMedia(type: string): Media | null {
  return type === "*/*" || type === "application/json" || type === "application/openapi+json" ? OPENAPI_MEDIA : null;
}

function relationMedia(type: string, parameters: ReadonlyMap<string, string>, planEnabled: boolean): Media | null {
  const stripNulls = parameters.get("nulls") === "stripped";
  const suffix = `${stripNulls ? ";nulls=stripped" : ""}; charset=utf-8`;
  switch (type) {
    case "*/*":
    case "application/*":
    case "application/json":
      return JSON_MEDIA;
    case "application/vnd.pgrst.array":
    case "application/vnd.pgrst.array+json":
      return { kind: "json", single: false, stripNulls, contentType: `application/vnd.pgrst.array+json${suffix}` };
    case "application/vnd.pgrst.object":
    case "application/vnd.pgrst.object+json":
      return { kind: "json", single: true, stripNulls, contentType: `application/vnd.pgrst.object+json${suffix}` };
    case "text/csv":
      return { kind: "csv", contentType: "text/csv; charset=utf-8" };
    case "application/geo+json":
      return { kind: "geojson", contentType: "application/geo+json; charset=utf-8" };
    case "application/vnd.pgrst.plan":
    case "application/vnd.pgrst.plan+text":
    case "application/vnd.pgrst.plan+json":
      return planEnabled ? planMedia(type.endsWith("+json") ? "json" : "text", parameters) : null;
    default:
      return null;
  }
}

function planMedia(format: "text" | "json", parameters: ReadonlyMap<string, string>): Media | null {
  const [first] = parseAccept(parameters.get("for") ?? "application/json");
  const inner = first && relationMedia(first.type, first.parameters, false);
  if (!inner) return null;
  const requested = (parameters.get("options") ?? "").split("|");
  const options = PLAN_OPTIONS.filter((option) => requested.includes(option));
  const listed = options.length === 0 ? "" : `; options=${options.join("|")}`;
  const forType = inner.contentType.split(";")[0] ?? "";
  return {
    kind: "plan",
    format,
    options,
    inner,
    contentType: `application/vnd.pgrst.plan+${format}; for="${forType}"${listed}; charset=utf-8`,
  };
}

interface AcceptedType {
  text: string;
  type: string;
  parameters: ReadonlyMap<string, string>;
}

// A quoted parameter may contain commas and semicolons, as in `for="application/json; charset=utf-8"`.
const PART = /(?:[^,"]|"[^"]*")+/g;
const PARAMETER = /(?:[^;"]|"[^"]*")+/g;

/** Parses an `Accept` header into media types with their parameters, best first (RFC 9110, 12.5.1). */
function parseAccept(accept: string): AcceptedType[] {
  const parts = (accept.match(PART) ?? ["*/*"]).map((part) => {
    const [type = "", ...rest] = (part.match(PARAMETER) ?? []).map((text) => text.trim());
    const parameters = new Map(
      rest.map((text): [string, string] => {
        const [name = "", ...value] = text.split("=");
        return [
          name.trim().toLowerCase(),
          value
            .join("=")
            .trim()
            .replace(/^"(.*)"$/s, "$1"),
        ];
      }),
    );
    const quality = Number(parameters.get("q") ?? 1);
    return { text: part.trim(), type: type.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 1 : quality };
  });
  return parts.toSorted((a, b) => b.quality - a.quality);
}
