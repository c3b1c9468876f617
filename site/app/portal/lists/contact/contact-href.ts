import { nationalNumber } from "content/national-number.ts";

/** Returns the address of a WhatsApp chat with a British mobile number, with a text ready to send; null for other numbers. */
export function whatsAppHref(phone: string, text: string): string | null {
  const number = nationalNumber(phone.replace("(0)", ""));
  return /^07\d{9}$/.test(number) ? `https://wa.me/44${number.slice(1)}?text=${encodeURIComponent(text)}` : null;
}

/** Returns the `mailto:` or `tel:` URL of an e-mail address or phone number; null for other text. */
export function contactHref(contact: string): string | null {
  const text = contact.trim();
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return `mailto:${encodeURIComponent(text).replaceAll("%40", "@")}`;
  // "+44 (0)1632 960001" is dialled without the zero.
  const number = text.replace(/^(\+\d+)\s*\(0\)/, "$1").replaceAll(/[^+\d]/g, "");
  return /\d{3}/.test(number) ? `tel:${number}` : null;
}
