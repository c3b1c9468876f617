/** Moves the focus from a row that is being removed to the next row, else to the one before, else to the title of the page. */
export function leaveRow(row: HTMLTableRowElement | null): void {
  if (!row?.contains(document.activeElement)) return;
  const rows = [...document.querySelectorAll<HTMLElement>("main tbody tr:has(td)")];
  const title = document.querySelector<HTMLElement>("h1");
  const at = rows.indexOf(row);
  // React has removed all rows by then.
  queueMicrotask(() => {
    if (document.activeElement !== document.body) return;
    const near = [...rows.slice(at), ...rows.slice(0, at).toReversed(), title].find((each) => each?.isConnected);
    if (!near) return;
    near.tabIndex = -1;
    // Not a button, because a second press would run the action of another row.
    (near.querySelector<HTMLElement>("a[data-open]") ?? near).focus();
  });
}
