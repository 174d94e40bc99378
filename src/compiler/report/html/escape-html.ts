import { terminalLine } from '../text/terminal-line.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML, including quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Escapes an untrusted text so that no character is markup or changes what is displayed. */
export function textHtml(text: string): string {
  return escapeHtml(terminalLine(text));
}
