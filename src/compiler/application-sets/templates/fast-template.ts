import { GenerationError } from '../generation-error.ts';
import type { Parameters } from '../parameters.ts';

/** A text with tags, parsed once. */
export type FastTemplate = (parameters: Parameters) => string;

/**
 * Parses a text with tags such as `{{name}}`, as fasttemplate in Render.Replace of Argo CD. A tag that is not the name of a text
 * stays.
 *
 * @throws {GenerationError} for a tag without an end, in a text with a whole tag on one line
 */
export function fastTemplate(template: string): FastTemplate {
  if (!/\{\{.*\}\}/.test(template)) return () => template;
  const [first = '', ...rest] = template.split('{{');
  const parts: (string | { readonly tag: string })[] = [first];
  // A tag begins at the first `{{` and ends at the next `}}`: what is between may have `{{` again.
  let open: string | undefined;
  for (const piece of rest) {
    const inside: string = open === undefined ? piece : `${open}{{${piece}`;
    const end = inside.indexOf('}}');
    open = end < 0 ? inside : undefined;
    if (end >= 0) parts.push({ tag: inside.slice(0, end) }, inside.slice(end + 2));
  }
  if (open !== undefined)
    throw new GenerationError(`invalid template: Cannot find end tag="}}" in the template=${template}`);
  return (parameters) =>
    parts
      .map((part) => {
        if (typeof part === 'string') return part;
        const name = part.tag.replaceAll(/^\p{White_Space}+|\p{White_Space}+$/gu, '');
        const value = parameters.get(name);
        return name === '' || typeof value !== 'string' ? `{{${part.tag}}}` : value;
      })
      .join('');
}
