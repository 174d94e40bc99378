import type { PlanPage } from '../compiler/report/html/plan-page-data.ts';
import { element } from './element.ts';

/** Returns the words of a location, as a link if it has one. */
export function locationNode(words: string, links: PlanPage['links']): Node | string {
  const url = Object.hasOwn(links, words) ? links[words] : undefined;
  return url === undefined ? words : element('a', { href: url, rel: 'noreferrer' }, words);
}

/** Returns a list of sentences whose locations in parentheses are links; nothing if there are none. */
export function linkedList(texts: readonly string[], { links }: PlanPage): Node[] {
  if (texts.length === 0) return [];
  return [element('ul', {}, ...texts.map((text) => element('li', {}, ...linked(text, links))))];
}

function linked(text: string, links: PlanPage['links']): (Node | string)[] {
  return text
    .split(/(?<=\()([^()]+)(?=\))/)
    .map((part, index) => (index % 2 === 1 ? locationNode(part, links) : part));
}
