import { useState } from "react";
import { Arrow } from "../../ui/sign.tsx";
import { columnsOf, labelOfField, valueInWords, type Change } from "./change.ts";
import { PostVersion } from "./post-version.tsx";
import styles from "./changed-values.module.css";

/** The column of a post's Markdown. */
const POST_TEXT = "content";
/** Longer texts are opened on demand. */
const LONG = 120;

/** The values before and after a change; all values of a record that was added or deleted. */
export function ChangedValues({ change }: { change: Change }) {
  const { act, before, after, columns } = change;
  if (!before && !after) return <p className="soft">{deletedValues(columns)}</p>;
  if (act === "update") return <Values change={change} />;
  return (
    <details>
      <summary>Details</summary>
      <Values change={change} />
    </details>
  );
}

function Values({ change }: { change: Change }) {
  const { act, before, after, names } = change;
  const lines = columnsOf(change)
    .map((column) => ({ column, was: valueInWords(column, before?.[column], names), is: valueInWords(column, after?.[column], names) }))
    .filter(({ was, is }) => was !== "" || is !== "");
  return (
    <dl className={styles.values}>
      {lines.map(({ column, was, is }) => (
        <div key={column}>
          <dt>{labelOfField(column)}</dt>
          {act === "update" ? (
            <dd>
              <del>
                <Text column={column} text={was} />
              </del>{" "}
              <Arrow to="right" />{" "}
              <ins>
                <Text column={column} text={is} />
              </ins>
            </dd>
          ) : (
            <dd>
              <Text column={column} text={is === "" ? was : is} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function Text({ column, text }: { column: string; text: string }) {
  const [isOpen, setOpen] = useState(false);
  if (text === "") return "empty";
  if (text.length <= LONG) return text;
  return (
    <details className={styles.long} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {text.slice(0, LONG)}… ({text.length} characters)
      </summary>
      {isOpen && column === POST_TEXT ? <PostVersion markdown={text} /> : <div>{text}</div>}
    </details>
  );
}

function deletedValues(columns: readonly string[]): string {
  const which = columns.length === 0 ? "" : `Changed: ${columns.map(labelOfField).join(", ")}. `;
  return `${which}The values were deleted after 30 days.`;
}
