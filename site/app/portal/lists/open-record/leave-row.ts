/** Moves the focus from a row that is being removed to the next row, else to the one before, else to the title of the page. */
export function leaveRow(row: HTMLTableRowElement | null): void {
  if (!row?.contains(document.activeElement)) return;
  const rows = [...document.querySelectorAll<HTMLElement>("main tbody tr:has(td)")];
  const title = document.querySelector<HTMLElement>("h1");
  const at = rows.indexOf(row);
  // By then all rows that go are removed.
  queueMicrotask(() => {
    if (document.activeElement !== document.body) return;
    const near = [...rows.slice(at), ...rows.slice(0, at).toReversed(), title].find((each) => each?.isConnected);
    if (!near) return;
    near.tabIndex = -1;
    // Not a button: its next press would be meant for the other row.
    (near.querySelector<HTMLElement>("a[data-open]") ?? near).focus();
  });
}
