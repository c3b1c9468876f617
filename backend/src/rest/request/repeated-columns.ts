import { RestError } from "../errors.ts";
import type { RestRequest } from "./request.ts";
import type { SelectItem } from "./select.ts";

const MAX_REPEATS = 4;

/** Fails with a 400 if `select` repeats a column too often, with which a short URL could request a response of any size. */
export function refuseRepeatedColumns({ parameters }: RestRequest): void {
  refuseIn(parameters.select);
}

function refuseIn(items: readonly SelectItem[]): void {
  const counts = new Map<string, number>();
  for (const item of items) {
    if (item.kind === "embed") {
      refuseIn(item.items);
      continue;
    }
    const key = keyOf(item);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > MAX_REPEATS)
      throw new RestError(400, "column_repeated", `A column may be selected at most ${MAX_REPEATS} times`, {
        hint: "Only the secret API key may select it more often.",
      });
  }
}

/** The same for all aliases and casts of a value. */
function keyOf(item: Exclude<SelectItem, { kind: "embed" }>): string {
  if (item.kind === "star") return "*";
  const { field, aggregate } = item;
  return JSON.stringify([field?.name, field?.path.map(({ value }) => value), aggregate?.function]);
}
