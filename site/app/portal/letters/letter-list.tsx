import { Suspense, useState, type ReactNode } from "react";
import { lazyPart } from "../frame/lazy-part.tsx";
import { LETTER_STATES } from "../../letters/letter-states.ts";
import { londonDate, londonMoment } from "../../time/london-date.ts";
import type { Loaded } from "../frame/outcome.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { ContactLink } from "../lists/contact/contact-link.tsx";
import type { ListFilter } from "../lists/list-filter.ts";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { RowAction, RowActions } from "../lists/row-actions.tsx";
import { browserClient } from "../../supabase/supabase.client.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { Moment } from "../time/moment.tsx";
import { dateOf, kindOf, PROBLEMS, recipientOf, type KindForm, type KindRow, type Letter } from "./fields.ts";
import { changeLetter, type LetterAct } from "./queries.ts";
import { SelectedLetters } from "./selected-letters.tsx";

// Lazy: it contains the catalogue of courses.
const LetterDialog = lazyPart(() => import("./letter-dialog.tsx"));

interface LetterListProps {
  letters: Promise<Loaded<Letter>>;
  /** The booking whose letters are listed; null for all. */
  bookingId: string | null;
  kinds: Promise<Loaded<KindRow>>;
  page: RecordPageState<KindForm>;
  /** False without a mail server, or without a service for text messages. */
  canSend: (letter: Letter) => boolean;
  /** The choice of the listed letters. */
  scope: ReactNode;
}

const TONES: Readonly<Record<string, string>> = { failed: "cancelled", waiting: "waiting", sending: "waiting", sent: "confirmed" };

const letterFilter: ListFilter<Letter> = {
  hint: "Name, e-mail, course or day",
  text: (letter) => {
    const { name, address } = recipientOf(letter);
    return [name, address, kindOf(letter.kind).label, dateOf(letter)?.course_name].join(" ");
  },
  instant: ({ due_at }) => due_at,
  choices: [{ name: "state", label: "State", labels: LETTER_STATES, of: ({ state }) => state }],
};

const columns: readonly Column<Letter>[] = [
  { heading: "To", share: 28, cell: (letter) => <Recipient {...recipientOf(letter)} /> },
  { heading: "Letter", share: 34, cell: (letter) => <About letter={letter} /> },
  { heading: "State", share: 38, cell: (letter) => <State letter={letter} /> },
];

/** The outbox: failed letters first. */
export function LetterList({ letters, bookingId, kinds, page, canSend, scope }: LetterListProps) {
  const [opened, setOpened] = useState<Letter | null>(null);
  const templates = useLoaded(kinds);
  const act = (letter: Letter, name: LetterAct): Promise<unknown> => page.act(() => changeLetter(browserClient(), letter.id, name));
  return (
    <>
      <RecordList
        caption="Letters"
        loaded={letters}
        of={bookingId}
        columns={columns}
        filter={letterFilter}
        scope={scope}
        empty={{ title: "No letters here yet...", text: "A booking with an e-mail address causes the first one." }}
        isPast={({ state }) => state === "withdrawn"}
        bulk={{
          noun: "letter",
          what: inWords,
          render: (rows, clear) => <SelectedLetters letters={rows} canSend={canSend} act={page.act} clear={clear} />,
        }}
        renderActions={(letter) => (
          <RowActions>
            <RowAction label="Open" what={inWords(letter)} run={() => setOpened(letter)} />
            {(letter.state === "waiting" || letter.state === "failed") && (
              <>
                {canSend(letter) && (
                  <RowAction
                    label={letter.state === "failed" ? "Send again" : "Send now"}
                    what={inWords(letter)}
                    run={() => act(letter, "send")}
                  />
                )}
                <RowAction label="Do not send" what={inWords(letter)} run={() => act(letter, "withdraw")} />
              </>
            )}
          </RowActions>
        )}
      />
      {opened && templates?.ok && (
        <Suspense>
          <LetterDialog
            key={opened.id}
            letter={opened}
            kinds={templates.rows}
            close={() => setOpened(null)}
            noteSent={() => {
              setOpened(null);
              void act(opened, "by_hand");
            }}
          />
        </Suspense>
      )}
    </>
  );
}

function Recipient({ name, address }: { name: string; address: string }) {
  return (
    <>
      <strong>{name}</strong>
      <span className="second contact">
        <ContactLink contact={address} />
      </span>
    </>
  );
}

function About({ letter }: { letter: Letter }) {
  const date = dateOf(letter);
  return (
    <>
      {kindOf(letter.kind).label}
      {letter.channel === "text" && " (text message)"}
      {date && (
        <span className="second">
          {date.course_name}, {londonMoment(londonDate(date.course_date))}
        </span>
      )}
    </>
  );
}

function State({ letter: { state, problem, response, due_at, sent_at, by_hand } }: { letter: Letter }) {
  const why = [problem !== null && (PROBLEMS[problem] ?? problem), response].filter(Boolean);
  return (
    <>
      <span className="chip" data-tone={TONES[state]}>
        {by_hand ? "Sent by hand" : LETTER_STATES[state]}
      </span>{" "}
      <Moment iso={sent_at ?? due_at} weekday className="soft" />
      {why.length > 0 && <span className="second">{why.join(" ")}</span>}
    </>
  );
}

function inWords(letter: Letter): string {
  const date = dateOf(letter);
  const about = date ? `, ${londonMoment(londonDate(date.course_date))}` : "";
  return `${kindOf(letter.kind).label} to ${recipientOf(letter).name}${about}`;
}
