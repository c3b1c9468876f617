import { visitState } from "../visits/record-visit.client.ts";
import { browserStorage } from "../visits/local-storage.client.ts";

const NOTICE_READ = "visit-notice-read";

/** Starts the scripts around a public page: links that open a dialog or the embedded form, the menu, the statistics switch and notice. */
export function startSiteChrome(): void {
  document.addEventListener("click", followClick);
  document.addEventListener("submit", keepOffline);
  showVisitState();
  // Fonts that are loaded later would shift the notice.
  void document.fonts.ready.then(showNotice);
}

function followClick(event: MouseEvent): void {
  if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target instanceof HTMLDialogElement) event.target.close();

  const link = event.target.closest("a");
  if (!link) return;
  link.closest<HTMLElement>("[popover]:popover-open")?.hidePopover();
  const dialog = document.getElementById(link.dataset["dialog"] ?? "");
  if (dialog instanceof HTMLDialogElement) {
    event.preventDefault();
    dialog.showModal();
  }
  const embedded = link.closest("[data-embedded-form]");
  const form = embedded?.querySelector("template")?.content.querySelector("iframe");
  if (embedded && form) {
    event.preventDefault();
    embedded.replaceChildren(form);
    form.focus();
  }
}

/** Keeps a form on the page while the browser is offline: its error page would replace the page, and the text would be lost. */
function keepOffline(event: SubmitEvent): void {
  const form = event.target;
  if (navigator.onLine || !(form instanceof HTMLFormElement) || form.method !== "post") return;
  event.preventDefault();
  const alert = document.createElement("p");
  alert.role = "alert";
  alert.textContent = "You are offline, so nothing was sent. Try again when you are connected.";
  form.querySelector(":scope > [role=alert]")?.remove();
  form.append(alert);
  addEventListener("online", () => alert.remove(), { once: true });
}

function showVisitState(): void {
  const state = visitState();
  for (const part of document.querySelectorAll<HTMLElement>("[data-visit-state]")) part.hidden = part.dataset["visitState"] !== state;
}

function showNotice(): void {
  const notice = document.querySelector<HTMLElement>("[data-visit-notice]");
  if (!notice || visitState() !== "counted" || browserStorage()?.getItem(NOTICE_READ)) return;
  notice.hidden = false;
  notice.querySelector("button")?.addEventListener("click", () => {
    notice.hidden = true;
    browserStorage()?.setItem(NOTICE_READ, "1");
  });
}
