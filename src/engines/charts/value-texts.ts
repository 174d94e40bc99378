import type { Chart } from './load-chart.ts';

/** Whether the templates of a chart read a value with a name as a list, as far as their texts show. */
export function isReadAsList({ program: { templates } }: Chart, name: string): boolean {
  const field = String.raw`\.${escaped(name)}\b`;
  const read = new RegExp(
    String.raw`\b(?:range\s+(?:[$\w, ]{1,80}:=\s+)?|join\s+"[^"]{0,20}"\s+)[$.\w]{0,200}${field}|${field}\s*\|\s*(?:join|first|last)\b`,
  );
  return templates.some(({ text }) => read.test(text));
}

/** Returns the texts that the templates of a chart compare a value with a name with. */
export function textsComparedWith({ program: { templates } }: Chart, name: string): string[] {
  const field = String.raw`[$.\w]*\.${escaped(name)}`;
  const compared = new RegExp(
    String.raw`\b(?:eq|ne)\s+(?:${field}\s+"([\w.-]+)"|"([\w.-]+)"\s+${field}\b)`,
    'g',
  );
  const texts = templates.flatMap(({ text }) =>
    [...text.matchAll(compared)].map(([, after, before]) => after ?? before ?? ''),
  );
  return [...new Set(texts)];
}

function escaped(name: string): string {
  return name.replaceAll(/\W/g, String.raw`\$&`);
}
