import { Sample, type SampleKind, type ValueMap } from '../../gotemplate/index.ts';
import type { ChartFault } from '../chart-fault.ts';
import type { ChartTemplate, ChartTemplates, RenderOptions } from '../engine.ts';
import { copiedMap } from '../values/coalesce.ts';
import { ReadValues, type ReadValue } from './read-values.ts';
import { renderFault } from './render-fault.ts';
import type { Scopes } from './template-scopes.ts';

/** A fault of a file. */
export interface FaultWithReads {
  readonly fault: ChartFault;
  /** The fault that the file has if the call that is not supported returns something. */
  readonly next?: ChartFault | undefined;
  /** The values that the file reads before it, the last one first, and then those that it would read after a call that is not supported. */
  readonly reads: readonly ReadValue[];
}

/** A template with the values of its chart. */
interface AttemptedTemplate {
  readonly templates: ChartTemplates;
  readonly template: ChartTemplate;
  /** Of the root chart; they are not changed. */
  readonly values: ValueMap;
  readonly scopes: (values: ValueMap) => Scopes;
  readonly fileOf: ReadonlyMap<string, string>;
  /** The names of the charts around the template, without the root. */
  readonly charts: readonly string[];
  readonly options: RenderOptions;
}

/** A rendering of a file: its text, or a fault. */
interface Attempt {
  readonly text?: string;
  readonly fault?: ChartFault;
  readonly reads: readonly ReadValue[];
}

/**
 * Renders one file alone, and after others, which can change its values, until a rendering has a fault. Returns it with the values that the
 * file reads. A call that is not supported is no fault if the text of the file is the same with other results of the function.
 */
export function faultOfFile(attempted: AttemptedTemplate): FaultWithReads | undefined {
  for (const others of [[], attempted.templates.before(attempted.template)]) {
    const { fault, reads } = attempt(attempted, others);
    if (fault === undefined) continue;
    if (fault.code !== 'FW6028') return { fault, reads };
    const first = attempt(attempted, others, 'first');
    if (first.text === undefined || first.text !== attempt(attempted, others, 'second').text)
      return { fault, next: first.fault, reads: [...reads, ...first.reads] };
  }
  return undefined;
}

function attempt(
  { templates, template, scopes, fileOf, charts, options, ...given }: AttemptedTemplate,
  others: readonly ChartTemplate[],
  kind?: SampleKind,
): Attempt {
  const values = copiedMap(given.values);
  const reads = new ReadValues(values);
  const scopeOf = scopes(values);
  const render = (each: ChartTemplate, own: RenderOptions): string =>
    templates.renderOne(each, scopeOf.get(each.basePath) ?? new Map(), { ...options, ...own });
  try {
    const before = new Sample('first');
    for (const each of others) render(each, { sampleOf: () => before });
    const sample = kind && new Sample(kind);
    const text = render(template, { sampleOf: () => sample, onRead: reads.listener });
    return { text, reads: reads.leaves(charts) };
  } catch (error) {
    const fault = renderFault(error, fileOf);
    if (fault === undefined) throw error;
    return { fault, reads: reads.leaves(charts) };
  }
}
