const CONTROLS = "input, select, textarea, [contenteditable]";

/** Makes a form that is being sent read-only, without moving the focus; the returned function ends that. */
export function holdInput(form: HTMLFormElement): () => void {
  const stop = new AbortController();
  set(form, true);
  for (const type of ["keydown", "beforeinput", "click", "paste", "cut", "drop"])
    form.addEventListener(type, refuse, { capture: true, signal: stop.signal });
  return () => {
    stop.abort();
    set(form, false);
  };
}

function set(form: HTMLFormElement, held: boolean): void {
  for (const control of form.querySelectorAll<HTMLInputElement>(CONTROLS)) {
    control.readOnly = held;
    // A select and rich text have no such property.
    control.ariaReadOnly = held ? "true" : null;
  }
}

/** Cancels an event that would change a select, a checkbox or rich text, or press a button that fills in fields. */
function refuse(event: Event): void {
  if (event instanceof KeyboardEvent && /^(Tab|Escape|F\d+)$/.test(event.key)) return;
  event.stopPropagation();
  // A shortcut of the browser, such as reload, changes nothing here; paste and undo fire other events.
  if (!(event instanceof KeyboardEvent && (event.ctrlKey || event.metaKey))) event.preventDefault();
}
