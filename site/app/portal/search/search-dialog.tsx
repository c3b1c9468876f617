import { useEffect, useId, useRef, useState, type KeyboardEvent, type SubmitEvent } from "react";
import { Link, useNavigate } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { TextField } from "../../ui/field.tsx";
import { counted } from "../frame/counted.ts";
import { findPages, searchPortal, type FoundGroup } from "./search.ts";
import styles from "./search.module.css";

/** Pause in typing before a search starts. */
const PAUSE_MS = 150;

/** The search of the portal: results in groups, reached by the arrow keys; Enter opens the first or the selected one. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [words, setWords] = useState("");
  const [answer, setAnswer] = useState<{ words: string; groups: readonly FoundGroup[] | null }>({ words: "", groups: [] });
  const navigate = useNavigate();

  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector("input")?.focus();
  }, []);

  useEffect(() => {
    if (words.trim() === "") return;
    let current = true;
    const timer = setTimeout(() => {
      void searchPortal(browserClient(), words).then((groups) => {
        if (current) setAnswer({ words, groups });
      });
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [words]);

  const searched = words.trim() !== "";
  const groups = [...(searched ? (answer.groups ?? []) : []), ...findPages(words)];
  const count = groups.reduce((sum, { found }) => sum + found.length, 0);
  const settled = !searched || answer.words === words;

  async function openFirst(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    // Enter can be faster than the search.
    const fresh = settled ? groups : [...((await searchPortal(browserClient(), words)) ?? []), ...findPages(words)];
    const first = fresh[0]?.found[0];
    // Meanwhile the search was closed, or other words were typed.
    if (!first || dialog.current?.querySelector("input")?.value !== words) return;
    dialog.current.close();
    await navigate(first.to);
  }

  function step(event: KeyboardEvent<HTMLElement>): void {
    const stops = [...(dialog.current?.querySelectorAll<HTMLElement>("input, a") ?? [])];
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      const at = stops.findIndex((stop) => stop === document.activeElement);
      stops[(at + by + stops.length) % stops.length]?.focus();
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) stops[0]?.focus();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of its field and links
    <dialog ref={dialog} className={styles.dialog} aria-label="Search" onClose={onClose} onKeyDown={step}>
      <form role="search" onSubmit={(event) => void openFirst(event)}>
        <TextField
          id="search-portal"
          type="search"
          standalone
          label="Search"
          hint="A name, phone number, day, course, enquiry or post"
          autoComplete="off"
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      </form>
      <p role="status" className="visually-hidden">
        {settled && counted(count, "result")}
      </p>
      <div className={styles.results}>
        {groups.map((group) => (
          <Group key={group.title} group={group} onOpen={() => dialog.current?.close()} />
        ))}
        {searched && answer.groups === null && <p className="problem">The search did not answer. Please try again.</p>}
        {settled && count === 0 && answer.groups !== null && <p className="soft">No results.</p>}
      </div>
      <p className={styles.keys}>
        <kbd>Up</kbd> and <kbd>Down</kbd> choose, <kbd>Enter</kbd> opens, <kbd>Esc</kbd> closes.
      </p>
    </dialog>
  );
}

function Group({ group: { title, found }, onOpen }: { group: FoundGroup; onOpen: () => void }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className={styles.found}>
        {found.map(({ to, name, detail }) => (
          <li key={`${to} ${name} ${detail}`}>
            <Link to={to} onClick={onOpen}>
              <strong>{name}</strong> <span className="soft">{detail}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
