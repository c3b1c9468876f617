const COMMENTS = '[style*="mso-element:comment"], [class^="MsoComment"], [class^="msocom"], [id^="_msocom"], [href^="#_msocom"]';
const NUMBER = /^\(?(?:\d+|[a-z]{1,4})[.)]/i;

/** Cleans pasted HTML: removes Word's comments, turns Word's list paragraphs into lists and lowers headings that begin at the level of the post's title. */
export function cleanPasted(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const comment of body.querySelectorAll(COMMENTS)) comment.remove();
  for (const paragraph of body.querySelectorAll<HTMLElement>("p[style*='mso-list']")) if (levelOf(paragraph) > 0) addToList(paragraph);
  if (body.querySelector("h1") && !body.querySelector("[data-pm-slice]")) lowerHeadings(body);
  return body.innerHTML;
}

/** Word's level of a list paragraph, "mso-list:l0 level2 lfo1"; 0 for another element. */
function levelOf(element: Element): number {
  return Number(/mso-list:[^;:]*\blevel(\d)/i.exec(element.getAttribute("style") ?? "")?.[1] ?? 0);
}

/** Moves a list paragraph into the list before it, or into a new one. */
function addToList(paragraph: HTMLElement): void {
  const level = levelOf(paragraph);
  const marker = [...paragraph.querySelectorAll("[style*='mso-list']")].find((part) =>
    /mso-list:\s*ignore/i.test(part.getAttribute("style") ?? ""),
  );
  const kind = NUMBER.test(marker?.textContent.trim() ?? "") ? "ol" : "ul";
  marker?.remove();
  let list = paragraph.previousElementSibling?.matches("[data-word-list]") ? paragraph.previousElementSibling : null;
  if (!list || (level === 1 && list.localName !== kind)) {
    list = document.createElement(kind);
    list.setAttribute("data-word-list", "");
    paragraph.before(list);
  }
  for (let depth = 1; depth < level && list.lastElementChild; depth += 1) {
    const item: Element = list.lastElementChild;
    list = item.querySelector(":scope > ul, :scope > ol") ?? item.appendChild(document.createElement(kind));
  }
  const item = list.appendChild(document.createElement("li"));
  item.append(...paragraph.childNodes);
  paragraph.remove();
}

function lowerHeadings(body: HTMLElement): void {
  for (const heading of [...body.querySelectorAll("h1, h2, h3, h4, h5")].toReversed()) {
    const lower = document.createElement(`h${Number(heading.localName.slice(1)) + 1}`);
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
}
