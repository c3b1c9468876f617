import { type ESTree, parseSync, Visitor } from "vite";
import { features } from "web-features";

/** The oldest browsers the site works in: those of November 2024, with the Firefox of extended support and the Safari before (decision 029). */
const OLDEST = { chrome: 130, firefox: 128, safari: 17.6 };

/** Web interfaces, elements and styles that one of these browsers lacks, by MDN's key, with the versions that introduced them. */
const lacking = new Map<string, string>();
const present = new Set<string>();
for (const feature of Object.values(features)) {
  if (feature.kind !== "feature") continue;
  for (const key of feature.compat_features ?? []) {
    const support: Record<string, string | undefined> = { ...(feature.status.by_compat_key?.[key] ?? feature.status).support };
    const late = Object.entries(OLDEST).filter(([browser, oldest]) => !(Number(support[browser]?.replace("≤", "")) <= oldest));
    if (late.length === 0) present.add(key);
    else lacking.set(key, late.map(([browser]) => `${browser} ${support[browser] ?? "never"}`).join(", "));
  }
}

/** Names that no feature of the oldest browsers has. */
const lackingNames = new Map<string, string>();
{
  const isOfScripts = (key: string): boolean => /^(api|javascript\.builtins)\./.test(key);
  const presentNames = new Set([...present].filter(isOfScripts).map(nameOf));
  for (const [key, since] of lacking) if (isOfScripts(key) && !presentNames.has(nameOf(key))) lackingNames.set(nameOf(key), since);
}

/** Finds features in scripts that one of the oldest browsers lacks, with the versions that have them; names that a script defines do not count. */
export function newInScripts(scripts: readonly string[]): Map<string, string> {
  const programs = scripts.map((script) => parseSync("script.js", script).program);
  const own = new Set<string>();
  const readOwn = new Visitor({
    Property: ({ key }) => void own.add(keyOf(key)),
    PropertyDefinition: ({ key }) => void own.add(keyOf(key)),
    MethodDefinition: ({ key }) => void own.add(keyOf(key)),
    AssignmentExpression: ({ left }) => void (left.type === "MemberExpression" && own.add(keyOf(left.property))),
  });
  const found = new Map<string, string>();
  const find = (shown: string, since: string | undefined): void => void (since !== undefined && found.set(shown, since));
  const read = new Visitor({
    Identifier: ({ name }) => !own.has(name) && name.length > 3 && find(name, lackingNames.get(name)),
    MemberExpression({ object, property, computed }) {
      if (computed) return;
      const name = keyOf(property);
      if (object.type === "Identifier")
        find(
          `${object.name}.${name}`,
          lacking.get(`api.${object.name}.${name}_static`) ?? lacking.get(`javascript.builtins.${object.name}.${name}`),
        );
      if (isIterator(object)) find(`${name} of an iterator`, lacking.get(`javascript.builtins.Iterator.${name}`));
    },
    CallExpression({ arguments: [tag, attributes] }) {
      const element = tag ? textOf(tag) : "";
      if (element === "" || attributes?.type !== "ObjectExpression") return;
      for (const attribute of attributes.properties) {
        const name = attribute.type === "Property" ? keyOf(attribute.key).toLowerCase() : "";
        find(`${element} ${name}`, lacking.get(`html.elements.${element}.${name}`) ?? lacking.get(`html.global_attributes.${name}`));
      }
    },
  });
  for (const program of programs) readOwn.visit(program);
  for (const program of programs) read.visit(program);
  return found;
}

/** Finds features in styles that one of the oldest browsers lacks, with the versions that have them. */
export function newInStyles(styles: string): Map<string, string> {
  const found = new Map<string, string>();
  const find = (shown: string, key: string): void => {
    const since = lacking.get(key);
    if (since !== undefined) found.set(shown, since);
  };
  const plain = styles.replace(/"[^"]*"|url\([^)]*\)/g, "");
  for (const [rule, name] of plain.matchAll(/@([a-z-]+)/g)) find(rule, `css.at-rules.${name}`);
  for (const [, feature] of plain.matchAll(/@media[^{]*?\(([a-z-]+)/g)) find(`@media ${feature}`, `css.at-rules.media.${feature}`);
  for (const [, selector = ""] of plain.matchAll(/([^{};]+)\{/g))
    for (const [pseudo, name] of selector.matchAll(/::?([a-z-]+)/g)) find(pseudo, `css.selectors.${name}`);
  for (const [, name] of plain.matchAll(/([a-z-]+)\(/g))
    for (const kind of ["", ".color", ".gradient", ".image"]) find(`${name}()`, `css.types${kind}.${name}`);
  for (const [, property, value = ""] of plain.matchAll(/[{;]([a-z-]+):([^;{}]*)/g)) {
    find(`${property}`, `css.properties.${property}`);
    for (const [word] of value.replace(/--[\w-]+/g, "").matchAll(/[a-z][a-z-]+/g))
      find(`${property}: ${word}`, `css.properties.${property}.${word}`);
  }
  return found;
}

function nameOf(key: string): string {
  return (key.split(".").at(-1) ?? key).replace(/_(static|event)$/, "");
}

function keyOf(key: ESTree.Node): string {
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" ? String(key.value) : "";
}

/** The value of a string literal; the build writes some with backticks. */
function textOf(node: ESTree.Node): string {
  if (node.type === "TemplateLiteral") return node.quasis.map(({ value }) => value.cooked ?? "").join("");
  return node.type === "Literal" ? String(node.value) : "";
}

/** Returns true for a call that returns an iterator, such as `values()` of a map; those of `Object` return an array. */
function isIterator(node: ESTree.Expression): boolean {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
  const { object, property } = node.callee;
  return ["values", "keys", "entries", "matchAll"].includes(keyOf(property)) && keyOf(object) !== "Object";
}
