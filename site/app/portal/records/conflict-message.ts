import { differs, type RecordWords } from "./record-words.ts";

/** Describes what somebody else changed and what a second save would do. */
export function conflictMessage<Values extends object, Row extends Values>(
  seen: Row,
  current: Row,
  changes: Record<string, unknown>,
  { noun, fields, alsoCompared = {}, show }: RecordWords<Row, Values>,
): string {
  const theirs: string[] = [];
  const both: string[] = [];
  for (const name in fields) {
    const field = fields[name];
    if (!differs(field, seen[name], current[name])) continue;
    const [before, after] = [
      show?.(name, seen, current) ?? field.show(seen[name]),
      show?.(name, current, seen) ?? field.show(current[name]),
    ];
    theirs.push(`${field.label}: ${before}, now ${after}`);
    if (name in changes) both.push(field.label);
  }
  for (const name in alsoCompared) {
    const field = alsoCompared[name];
    if (field && differs(field, seen[name], current[name]))
      theirs.push(`${field.label}: ${field.show(seen[name])}, now ${field.show(current[name])}`);
  }
  const advice =
    both.length === 0
      ? "Save again to add your changes."
      : `Save again to replace theirs with yours (${both.join(", ")}), or cancel to keep theirs.`;
  return `Somebody else changed this ${noun} while you were editing it. ${theirs.join("; ")}. Nothing was overwritten. ${advice}`;
}
