import { useLayoutEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { browserClient } from "../../../supabase/supabase.client.ts";
import { Button } from "../../../ui/button.tsx";
import { Arrow } from "../../../ui/sign.tsx";
import { londonDate } from "../../../time/london-date.ts";
import { Contacts } from "../../lists/contact/contact-link.tsx";
import { DeleteButton } from "../../records/delete-button.tsx";
import { outcomeOf } from "../../frame/outcome.ts";
import { RecordTable, type Column } from "../../lists/record-table.tsx";
import { RowAction, RowActions } from "../../lists/row-actions.tsx";
import { startEdit } from "../../records/save-record.ts";
import type { RecordPageState } from "../../records/use-record-page.ts";
import type { BookingsForm } from "../open-form.ts";
import type { WaitingEntry } from "./waiting-list.ts";
import styles from "./waiting-panel.module.css";
import { bookWaiting, moveWaiting, setCalled, withdrawWaiting } from "./queries.ts";

interface WaitingTableProps {
  entries: readonly WaitingEntry[];
  /** The id of the entry to call next. */
  nextId: string | undefined;
  /** The number of free places. */
  open: number;
  page: RecordPageState<BookingsForm>;
}

/** The waiting list of a date in its order. */
export function WaitingTable({ entries, nextId, open, page }: WaitingTableProps) {
  const { revalidate } = useRevalidator();
  const [announced, setAnnounced] = useState("");

  async function move(entry: WaitingEntry, up: boolean): Promise<void> {
    const outcome = await outcomeOf(moveWaiting(browserClient(), entry, up));
    if (!outcome.ok) return page.show(outcome);
    setAnnounced(outcome.message);
    await revalidate();
  }

  return (
    <>
      <p role="status" className="visually-hidden">
        {announced}
      </p>
      <RecordTable
        caption="Waiting list"
        rows={entries}
        columns={columnsOf(entries, nextId, (entry, up) => void move(entry, up))}
        renderActions={(entry) => (
          <RowActions>
            {entry.places <= open && (
              <RowAction label="Book" what={inWords(entry)} run={() => page.act(() => bookWaiting(browserClient(), entry))} />
            )}
            <RowAction
              label={entry.called_at === null ? "Called" : "Not called"}
              what={inWords(entry)}
              run={() => page.act(() => setCalled(browserClient(), entry, entry.called_at === null, Date.now()))}
            />
            <RowAction label="Edit" what={inWords(entry)} run={() => page.begin({ form: "wait-edit", edit: startEdit(entry) })} />
            <DeleteButton
              verb="Withdraw"
              busyLabel="Withdrawing..."
              what={inWords(entry)}
              question="Take them off the waiting list?"
              run={() => page.remove(entry, () => withdrawWaiting(browserClient(), entry))}
            />
          </RowActions>
        )}
      />
    </>
  );
}

function columnsOf(
  entries: readonly WaitingEntry[],
  nextId: string | undefined,
  move: (entry: WaitingEntry, up: boolean) => void,
): readonly Column<WaitingEntry>[] {
  return [
    {
      heading: "Order",
      cell: (entry) => (
        <span className={styles.order}>
          <span className="number">{entries.indexOf(entry) + 1}</span>
          <MoveButtons name={entry.name} place={entries.indexOf(entry)} move={(up) => move(entry, up)} />
        </span>
      ),
    },
    { heading: "Name", share: 40, cell: (entry) => <Who {...entry} next={entry.id === nextId} /> },
    { heading: "Contact", share: 35, cell: (entry) => <Contacts {...entry} /> },
    { heading: "Places", cell: ({ places }) => <span className="number">{places}</span> },
    { heading: "Note", share: 25, cell: ({ note }) => note },
  ];
}

/** Moves a row up or down; the focus moves with it. */
function MoveButtons({ name, place, move }: { name: string; place: number; move: (up: boolean) => void }) {
  const box = useRef<HTMLSpanElement>(null);
  const pressed = useRef<{ way: "up" | "down"; from: number } | null>(null);

  // A row that moves in the document loses the focus.
  useLayoutEffect(() => {
    if (pressed.current === null || pressed.current.from === place) return;
    if (document.activeElement === document.body)
      box.current?.querySelector<HTMLButtonElement>(`[data-way=${pressed.current.way}]`)?.focus();
    pressed.current = null;
  });

  function press(up: boolean): void {
    pressed.current = { way: up ? "up" : "down", from: place };
    move(up);
  }

  return (
    <span ref={box}>
      <Button look="plain" size="small" data-way="up" aria-label={`Move ${name} up`} onClick={() => press(true)}>
        <Arrow to="up" />
      </Button>
      <Button look="plain" size="small" data-way="down" aria-label={`Move ${name} down`} onClick={() => press(false)}>
        <Arrow to="down" />
      </Button>
    </span>
  );
}

function Who({ name, created_at, called_at, next }: WaitingEntry & { next: boolean }) {
  const facts = [next && "Next to call", called_at !== null && `called ${dayAndTime(called_at)}`, `since ${dayAndTime(created_at)}`];
  return (
    <>
      <strong>{name}</strong>
      <span className="second">{facts.filter(Boolean).join(", ")}</span>
    </>
  );
}

function dayAndTime(iso: string): string {
  const { day, month, time } = londonDate(iso);
  return `${day} ${month}, ${time}`;
}

function inWords({ name }: WaitingEntry): string {
  return `${name} on the waiting list`;
}
