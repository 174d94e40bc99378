import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { SourceFile } from './source-file.ts';

// Text that Helm writes in double braces and that is not an OCM variable: a field, a variable, or a keyword or function of Go
// templates.
const action =
  /\{\{-?\s*(?:[.$(]|\/\*|(?:if|else|end|range|with|define|include|template|block|toYaml|tpl|required|default|quote|printf|lookup)\b)/;

/** Returns the offset of the first action of a Helm template in a text; undefined if there is none. */
export function helmAction(text: string): number | undefined {
  return action.exec(text)?.index;
}

/** Reports a file that is not YAML because it is a Helm template. */
export function helmTemplate(source: SourceFile, offset: number): Diagnostic {
  return diagnostic('FW1015', {
    message: 'this is a Helm template, which is not YAML until Helm renders it',
    location: source.place(offset),
    hint: 'render the chart first: helm template NAME CHART | fleetwright validate -',
  });
}
