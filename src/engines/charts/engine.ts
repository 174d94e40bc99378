import {
  TemplateError,
  TemplateSet,
  type Limits,
  type ReadListener,
  type Rendered,
  type Sample,
  type Tree,
  type ValueMap,
} from '../gotemplate/index.ts';
import { chartFunctions } from './functions/index.ts';
import { valuesMap } from './values/values-map.ts';

/** A template of a chart. */
export interface ChartTemplate {
  /** Such as `chart/templates/deployment.yaml`. */
  readonly name: string;
  readonly text: string;
  /** The folder of its chart's templates, such as `chart/templates`. */
  readonly basePath: string;
}

/** Returns what functions return in a template that are random or read a missing clock; undefined if they fail. */
export type SampleOf = (template: string) => Sample | undefined;

export interface RenderOptions {
  /** Whether a missing value is an error. @default false */
  readonly strict?: boolean;
  readonly limits?: Partial<Limits>;
  /** What `now` returns, in nanoseconds since 1970. @default - functions that read the clock fail */
  readonly now?: bigint | undefined;
  /** Returns what functions of a template return that are random or read a missing clock. @default - such a function fails */
  readonly sampleOf?: SampleOf | undefined;
  /** Receives the output of each template with its origins, before `<no value>` is removed. Rendering is slower with it. */
  readonly trace?: (template: ChartTemplate, rendered: Rendered) => void;
  /** Receives the steps of each template. @default - nothing is reported */
  readonly onSteps?: ((steps: number) => void) | undefined;
  /** Receives what the templates read. @default - nothing is reported */
  readonly onRead?: ReadListener | undefined;
}

/** What Go writes for a missing value, and Helm removes. */
export const missingText = '<no value>';

/** An error of a chart's template. The message is Helm's, word for word. */
export class ChartRenderError extends Error {
  override readonly name = 'ChartRenderError';
  /** The template that is rendered. The error can be in another one, which it includes. */
  readonly template: string;

  constructor(message: string, cause: TemplateError, template: string) {
    super(message, { cause });
    this.template = template;
  }
}

/** The templates of a chart and its dependencies, parsed once for all renderings. */
export class ChartTemplates {
  readonly #sorted: readonly ChartTemplate[];
  readonly #set = new TemplateSet('gotpl', chartFunctions);

  /** @throws {ChartRenderError} for the first syntax error */
  constructor(templates: readonly ChartTemplate[]) {
    this.#sorted = templates.toSorted(byDepth);
    for (const { name, text } of this.#sorted) guarded(() => this.#set.parse(name, text), parseMessage, name);
  }

  /**
   * Renders the templates as Helm's engine does, without the partials, whose names begin with `_`.
   *
   * @param valuesOf - returns `.Values`, `.Release` and so on, which each template of a chart shares and can change
   * @returns the text of each template, by name
   * @throws {ChartRenderError} for the first error
   * @throws {TemplateLimitError} beyond a bound
   */
  render(
    valuesOf: (template: ChartTemplate) => ValueMap,
    options: RenderOptions = {},
  ): ReadonlyMap<string, string> {
    const rendered = new Map<string, string>();
    for (const template of this.#rendered())
      rendered.set(template.name, this.renderOne(template, valuesOf(template), options));
    return rendered;
  }

  /** Returns the templates that are rendered before one. */
  before({ name }: ChartTemplate): readonly ChartTemplate[] {
    const rendered = this.#rendered();
    return rendered.slice(
      0,
      rendered.findIndex((each) => each.name === name),
    );
  }

  #rendered(): readonly ChartTemplate[] {
    return this.#sorted.filter(({ name }) => !name.slice(name.lastIndexOf('/') + 1).startsWith('_'));
  }

  /**
   * Renders one template.
   *
   * @param values - `.Values`, `.Release` and so on, which the template can change
   * @throws {ChartRenderError}
   * @throws {TemplateLimitError} beyond a bound
   */
  renderOne(template: ChartTemplate, values: ValueMap, options: RenderOptions = {}): string {
    const { strict = false, limits = {}, now, sampleOf, trace, onRead, onSteps } = options;
    const { name, basePath } = template;
    values.set(
      'Template',
      valuesMap(
        new Map([
          ['Name', name],
          ['BasePath', basePath],
        ]),
      ),
    );
    const result = guarded(
      () =>
        this.#set.execute(name, valuesMap(values), {
          missingKey: strict ? 'error' : 'zero',
          limits,
          now,
          sample: sampleOf?.(name),
          traces: trace !== undefined,
          onRead,
          onSteps,
        }),
      executionMessage,
      name,
    );
    trace?.(template, result);
    return result.text.replaceAll(missingText, '');
  }

  /** Returns a parsed template, or one that a template defines. */
  tree(name: string): Tree | undefined {
    return this.#set.tree(name);
  }
}

/** The deepest paths first, and those of one depth from the last to the first. */
function byDepth({ name: a }: ChartTemplate, { name: b }: ChartTemplate): number {
  const difference = b.split('/').length - a.split('/').length;
  return difference === 0 ? (a < b ? 1 : -1) : difference;
}

function guarded<T>(run: () => T, message: (error: TemplateError) => string, template: string): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new ChartRenderError(message(error), error, template);
  }
}

function parseMessage({ message }: TemplateError): string {
  const parts = message.split(': ');
  return `parse error at (${parts[1] ?? ''}): ${parts.at(-1) ?? ''}`;
}

/** Helm shows only the message of `required` and `fail`. */
function executionMessage({ message, position }: TemplateError): string {
  const marked = /HELM_ERR_START(.*)HELM_ERR_END/s.exec(message);
  if (marked === null || position === undefined) return message;
  const [, location = ''] = message.split(': ');
  return `execution error at (${location}): ${marked[1] ?? ''}`;
}
