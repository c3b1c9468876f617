import { Fragment } from "react";
import type { DayGroup } from "./days.ts";
import type { RegisterEntry } from "./queries.ts";
import styles from "./register.module.css";
import type { Sheet } from "./sheets.ts";

/** Lines for people who arrive without a booking. */
const BLANK_LINES = 4;
/** Widths on paper in millimetres. */
const NUMBER_WIDTH = 8;
const CHECK_WIDTH = 14;
const DAY_WIDTH = 7;

const EMPTY = "\u00a0";

/** A place on a register. */
export interface Line {
  key: string;
  name: string;
  booking: RegisterEntry;
}

interface SheetTableProps {
  sheet: Sheet;
  lines: readonly Line[];
  group: DayGroup;
  /** True if each day has a column for the morning and one for the afternoon. */
  halves: boolean;
}

/** A table with a line for every place and a column for every day. */
export function SheetTable({ sheet: { label, nameWidth, columns }, lines, group: { days }, halves }: SheetTableProps) {
  const heads = [
    { heading: "No.", width: NUMBER_WIDTH },
    { heading: "Name", width: nameWidth },
    ...columns,
    { heading: "Identity checked", width: CHECK_WIDTH },
  ];
  const boxes = days.length * (halves ? 2 : 1);
  const rows = halves ? 2 : 1;
  const blanks = Array.from({ length: BLANK_LINES }, (_, index) => lines.length + index + 1);
  return (
    // The table scrolls on narrow screens, so it must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={`${label}, ${days.join(", ")}`}>
      <table className={styles.lines} style={{ minWidth: millimetres(sum(heads.map(({ width }) => width)) + boxes * DAY_WIDTH) }}>
        <caption className="visually-hidden">Participants</caption>
        <colgroup>
          {heads.map(({ heading, width }) => (
            <col key={heading} style={{ width: millimetres(width) }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {heads.map(({ heading }) => (
              <th key={heading} scope="col" rowSpan={rows}>
                {heading}
              </th>
            ))}
            {days.map((day) => (
              <th key={day} scope={halves ? "colgroup" : "col"} colSpan={rows} className={styles.day}>
                {day}
              </th>
            ))}
          </tr>
          {halves && (
            <tr>
              {days.map((day) => (
                <Fragment key={day}>
                  <Half name="Morning" short="am" />
                  <Half name="Afternoon" short="pm" />
                </Fragment>
              ))}
            </tr>
          )}
        </thead>
        <tbody>
          {lines.map(({ key, name, booking }, index) => (
            <tr key={key}>
              <td>{index + 1}</td>
              <th scope="row">{name}</th>
              {columns.map(({ heading, cell }) => (
                <td key={heading}>{cell(booking)}</td>
              ))}
              <Boxes count={boxes} />
            </tr>
          ))}
          {blanks.map((number) => (
            <tr key={number}>
              <td>{number}</td>
              <td>
                <span className="visually-hidden">Blank line</span>
              </td>
              {columns.map(({ heading }) => (
                <td key={heading}>{EMPTY}</td>
              ))}
              <Boxes count={boxes} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Half({ name, short }: { name: string; short: string }) {
  return (
    <th scope="col" className={styles.day}>
      <abbr title={name}>{short}</abbr>
    </th>
  );
}

/** The box for the identity and the empty cells of the days. */
function Boxes({ count }: { count: number }) {
  return (
    <>
      <td className={styles.check}>
        <span className={styles.box}>{EMPTY}</span>
      </td>
      {Array.from({ length: count }, (_, index) => (
        <td key={index}>{EMPTY}</td>
      ))}
    </>
  );
}

/** A width on paper, which is larger on the screen. */
function millimetres(width: number): string {
  return `calc(${width} * var(--mm))`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
