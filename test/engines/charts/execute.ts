import { TemplateError, TemplateSet, toValue } from '../../../src/engines/gotemplate/index.ts';
import type { Answer, TemplateCase } from './case.ts';

/** Returns what our engine makes of a case, as the Go program answers. */
export function executeCase({ templates, execute, missingKey, data }: TemplateCase): Answer {
  try {
    const set = new TemplateSet('set');
    for (const { name, text } of templates) set.parse(name, text);
    const { text } = set.execute(execute, toValue(data), missingKey === undefined ? {} : { missingKey });
    return { output: wellFormed(text) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: wellFormed(error.message) };
    throw error;
  }
}

/** As Go's encoder of JSON, which the answers passed: bytes that are no UTF-8 become U+FFFD. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}
