import type { Parameters } from '../parameters.ts';

/** Replaces the fields of a Go template; undefined if the engine has to do it. */
export type FieldsTemplate = (parameters: Parameters) => string | undefined;

/**
 * Replaces the fields of a Go template without the engine if it only has fields such as `{{.name}}`, and all of them are texts. Most
 * names and destinations of Applications are such templates.
 */
export function fieldsTemplate(template: string): FieldsTemplate {
  const parts = template.split(/\{\{ ?\.([A-Za-z_][A-Za-z0-9_]*) ?\}\}/);
  if (parts.some((part, index) => index % 2 === 0 && /\{\{|\}\}/.test(part))) return () => undefined;
  return (parameters) => {
    let text = parts[0] ?? '';
    for (let index = 1; index < parts.length; index += 2) {
      const value = parameters.get(parts[index] ?? '');
      if (typeof value !== 'string') return undefined;
      text += value + (parts[index + 1] ?? '');
    }
    return text;
  };
}
