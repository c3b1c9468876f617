import type { z } from "zod";
import type { emailSchema } from "../../config/auth-email.ts";
import { escapeHtml } from "../../escape-html.ts";
import { plainText } from "./plain-text.ts";
import { WORDING, type CodeMailKind, type MailKind } from "./wording.ts";

/** The placeholders of a template, named as in hosted projects; absent ones are empty. */
interface MailValues {
  ConfirmationURL?: string;
  Token?: string;
  TokenHash?: string;
  SiteURL: string;
  Email: string;
  NewEmail?: string;
  RedirectTo?: string;
}

/** A mail ready to send. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

type Template = z.infer<typeof emailSchema>["template"][CodeMailKind];

/** Renders a mail from its template in config.toml, or from the default wording. */
export function renderMail(kind: MailKind, values: MailValues, template?: Template): MailContent {
  const html = template?.content ?? page(kind);
  const text = template?.content === undefined ? defaultText(kind, values) : plainText(template.content);
  return {
    // A line break in a subject would start a new header.
    subject: fill(template?.subject ?? WORDING[kind].subject, values).replaceAll(/[\r\n]+/g, " "),
    text: fill(text, values),
    html: fill(html, values, escapeHtml),
  };
}

function defaultText(kind: MailKind, { SiteURL }: MailValues): string {
  const { paragraphs, action, notice, closing } = WORDING[kind];
  const link = [`${action}:\n{{ .ConfirmationURL }}`, "Or enter this code: {{ .Token }}"];
  const code = notice ? [] : action === undefined ? ["Your code: {{ .Token }}"] : link;
  return [...paragraphs, ...code, closing, new URL(SiteURL).host].join("\n\n");
}

const PLACEHOLDER = /\{\{\s*\.([A-Za-z]+)\s*\}\}/g;

function fill(template: string, values: MailValues, write = (text: string): string => text): string {
  const known = new Map<string, string>(Object.entries(values));
  return template.replaceAll(PLACEHOLDER, (_whole, name: string) => write(known.get(name) ?? ""));
}

/** Returns the default HTML template. Styles are inline because mail programs ignore most CSS. */
function page(kind: MailKind): string {
  const { subject, paragraphs, notice, action, closing } = WORDING[kind];
  const text = "margin:0 0 16px;font:16px/1.5 system-ui,sans-serif;color:#1c2321";
  const button =
    "display:inline-block;padding:12px 20px;background:#1c2321;color:#fff;font:600 16px system-ui,sans-serif;text-decoration:none";
  const code = `<p style="${text}"><strong style="font-size:22px;letter-spacing:3px">{{ .Token }}</strong></p>`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>`,
    '<body style="margin:0;padding:32px 16px;background:#fff"><div style="max-width:520px;margin:0 auto">',
    ...paragraphs.map((paragraph) => `<p style="${text}">${paragraph}</p>`),
    ...(action === undefined
      ? []
      : [
          `<p style="${text}"><a href="{{ .ConfirmationURL }}" style="${button}">${action}</a></p>`,
          `<p style="${text}">Or enter this code:</p>`,
        ]),
    ...(notice ? [] : [code]),
    `<p style="${text};font-size:14px;color:#59625f">${closing}</p>`,
    `<p style="${text};font-size:14px;color:#59625f">{{ .SiteURL }}</p>`,
    "</div></body></html>",
  ].join("\n");
}
