import {
  Sample,
  TemplateLimitError,
  toValue,
  type ReadListener,
  type Rendered,
  type TypedMap,
  type ValueMap,
} from '../../gotemplate/index.ts';
import { ChartError, type ChartFault } from '../chart-fault.ts';
import type { ChartNode } from '../chart.ts';
import { missingDependencies, withMissingCharts } from '../loading/declared-dependencies.ts';
import { isCompatible } from '../values/dependencies.ts';
import {
  ChartRenderError,
  ChartTemplates,
  type ChartTemplate,
  type RenderOptions,
  type SampleOf,
} from '../engine.ts';
import { sampleTime } from '../functions/dates.ts';
import { processDependencies } from '../values/dependencies.ts';
import type { Capabilities, Release } from './built-in-objects.ts';
import { crdFilesOf } from './crd-files.ts';
import { outputWithoutChance, unsupportedCall, type RenderedObjects } from './chance.ts';
import { compareKinds } from './install-order.ts';
import { hookOf } from './hooks.ts';
import { flattened } from './list-items.ts';
import { ManifestDecoder, type RenderedManifest, type Splitting } from './manifests.ts';
import { renderFault } from './render-fault.ts';
import { renderValues } from './render-values.ts';
import { valuesMap } from '../values/values-map.ts';
import { faultOfFile, type FaultWithReads } from './file-fault.ts';
import { FieldTracer, type TracedOutput } from './field-tracer.ts';
import { ValueTrials } from './value-trials.ts';
import { scopesOf, templatesOf, type ScopedTemplate } from './template-scopes.ts';

/** Whose rules decide: those of Helm's client, or those of a program that embeds only Helm's engine. */
export type ChartRules = 'embedded' | 'helm';

/** What a chart is rendered with. */
export interface RenderInput {
  /** Plain data, with every number as a float64: what the values file of a chart is overridden with. */
  readonly values: Readonly<Record<string, unknown>> | ValueMap;
  readonly release: Release;
  readonly capabilities: Capabilities;
  /**
   * Names of values at the top that the `values.schema.json` of the chart need not allow: the schema sees them only if it names them.
   *
   * @default - none
   */
  readonly addedValues?: ReadonlySet<string>;
  /**
   * Receives the names of the values at the top that a template or the schema of the chart reads. If the values are read as a whole, it
   * receives all names. With another value for a name that it does not receive, the manifests are the same.
   *
   * @default - nothing is reported
   */
  readonly onTopValue?: ((name: string) => void) | undefined;
  /** Whether a value that is missing is an error. @default false */
  readonly strict?: boolean;
  /** What `now` returns, in nanoseconds since 1970. @default - functions that read the clock fail */
  readonly now?: bigint | undefined;
  /** Bounds of the rendering of each file. @default - those of templates */
  readonly limits?: RenderOptions['limits'];
  /** Receives the steps of each file. @default - nothing is reported */
  readonly onSteps?: RenderOptions['onSteps'];
  /**
   * Whether a manifest is used. One that is not can depend on functions that are random or read the clock.
   *
   * @default - all are used
   */
  readonly isUsed?: ((manifest: RenderedManifest) => boolean) | undefined;
  /**
   * Whether Secrets can depend on functions that are random or read the clock, and are then no manifests, and annotations of Pods on
   * functions that are random, which then have the same result each time.
   *
   * @default false
   */
  readonly separatesSecrets?: boolean;
  /** Whether functions that are random have a new result at each call, and the clock is that of now. @default false */
  readonly isRandom?: boolean;
}

/** Bounds of a rendering that only shows what depends on a function, so that a chart that takes long does not take several times as long. */
export const trialLimits = { steps: 1_000_000 } as const;

/** An input with what functions return that are random or read a missing clock, for each file with a template. */
type SampledInput = RenderInput & { readonly sampleOf?: SampleOf | undefined };

/** A tree of charts with its templates, parsed. */
interface ParsedTree {
  /** Or the first syntax error. */
  readonly templates: ChartTemplates | ChartRenderError | TemplateLimitError;
  /** The file of each template. */
  readonly fileOf: ReadonlyMap<string, string>;
}

type Preparation = Pick<RenderInput, 'values' | 'release' | 'capabilities' | 'onTopValue'> & {
  readonly addedValues?: ReadonlySet<string> | undefined;
};

/** What templates are rendered with. */
interface Prepared {
  readonly root: ChartNode;
  /** `.Release`, `.Capabilities` and `.Values` of the root chart. */
  readonly top: ValueMap;
  readonly parsed: ParsedTree;
  readonly warnings: readonly ChartFault[];
}

/** A loaded chart, which renders for any number of clusters. It parses each template once. */
export class ChartProgram {
  readonly #root: ChartNode;
  readonly #rules: ChartRules;
  readonly #parsed = new Map<string, ParsedTree>();
  readonly #decoder = new ManifestDecoder();
  /** Whether a rendering called a function that is random or reads the clock. */
  #callsByChance = false;

  /** The templates of the chart and of its subcharts, as they are loaded. */
  get templates(): readonly ScopedTemplate[] {
    return templatesOf(this.#root);
  }

  /** The chart as it was loaded. */
  get root(): ChartNode {
    return this.#root;
  }

  constructor(root: ChartNode, rules: ChartRules) {
    this.#root = root;
    this.#rules = rules;
  }

  /**
   * Returns the objects in the order of Helm's installation: those of one kind in the order of their files.
   *
   * @throws {ChartError}
   */
  render(input: RenderInput): RenderedObjects {
    if (input.isRandom === true) {
      const random = new Sample('random');
      return this.#render({ ...input, sampleOf: () => random });
    }
    // A chart that calls them for one cluster does so for others, so that a rendering without samples would be in vain. Trials, which have
    // limits, look for values with which it calls none.
    if (this.#callsByChance && input.limits === undefined) return outputWithoutChance(this.#byChance(input));
    try {
      return this.#render(input);
    } catch (error) {
      const fault = unsupportedCall(error);
      if (fault === undefined) throw error;
      this.#callsByChance = true;
      return outputWithoutChance(this.#byChance(input), fault);
    }
  }

  #byChance(input: RenderInput): Parameters<typeof outputWithoutChance>[0] {
    const { isUsed = () => true, separatesSecrets = false, now } = input;
    return {
      isUsed,
      separatesSecrets,
      renderPlain: () => this.#render(input),
      render: (sampleOf, clock) =>
        this.#render({ limits: trialLimits, ...input, now: now ?? (clock && sampleTime(clock)), sampleOf }),
    };
  }

  #render(input: SampledInput): RenderedObjects {
    const { texts, warnings, root } = this.renderTexts(input);
    const manifests: RenderedManifest[] = [];
    for (const { name, text, splitting } of crdFilesOf(root, this.#rules))
      manifests.push(...this.#decoded(text, name, splitting));
    const isHelm = this.#rules === 'helm';
    for (const { file, text } of texts)
      if (text !== '')
        manifests.push(
          ...(isHelm ? this.#decoded(text, file, 'client').map(asHook) : this.#decoded(text, file, 'reader')),
        );
    const ordered = manifests.toSorted((a, b) => compareKinds(a.kind, b.kind));
    return { manifests: isHelm ? ordered.flatMap(flattened) : ordered, warnings };
  }

  /**
   * Returns the text of each template, in the order of their names.
   *
   * @throws {ChartError}
   */
  renderTexts(
    {
      values,
      release,
      capabilities,
      addedValues,
      onTopValue,
      strict = false,
      now,
      limits,
      onSteps,
      sampleOf,
    }: SampledInput,
    trace?: (parsed: ParsedTree, template: ChartTemplate, rendered: Rendered) => void,
  ): {
    readonly texts: readonly { readonly file: string; readonly text: string }[];
    readonly warnings: ChartFault[];
    readonly root: ChartNode;
  } {
    const { root, top, parsed, warnings } = this.#prepare({
      values,
      release,
      capabilities,
      addedValues,
      onTopValue,
    });
    const scopes = scopesOf(root, top);
    const { fileOf, templates } = parsed;
    try {
      if (templates instanceof Error) throw templates;
      const rendered = templates.render(({ basePath }) => scopes.get(basePath) as ValueMap, {
        strict,
        now,
        ...(limits !== undefined && { limits }),
        onSteps,
        ...(sampleOf !== undefined && { sampleOf: (name) => sampleOf(fileOf.get(name) ?? name) }),
        ...(trace !== undefined && { trace: (template, output) => trace(parsed, template, output) }),
      });
      const texts = [...rendered]
        // The names have the alias of a chart, and the files its folder.
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, text]) => ({ file: fileOf.get(name) ?? name, text }))
        .filter(({ file }) => this.#rules !== 'helm' || !file.endsWith('NOTES.txt'));
      return { texts, warnings: distinct(warnings), root };
    } catch (error) {
      const fault = renderFault(error, fileOf);
      throw fault === undefined ? error : new ChartError(withMissingCharts(fault, root));
    }
  }

  /** Returns what the templates are rendered with. */
  #prepare({ values, release, capabilities, addedValues, onTopValue }: Preparation): Prepared {
    const given = toValue(values) as ValueMap;
    const warnings: ChartFault[] = [];
    const root = this.#treeFor(given, warnings);
    if (this.#rules === 'helm') requireKubernetes(root, capabilities);
    const rendering = renderValues(root, given, release, capabilities, addedValues, onTopValue);
    return {
      root,
      top: rendering.top,
      parsed: this.#parse(root),
      warnings: [...warnings, ...rendering.warnings],
    };
  }

  /**
   * Returns `.Values` of the chart, as its templates see it.
   *
   * @throws {ChartError}
   */
  values({ values, release, capabilities, addedValues }: RenderInput): ValueMap {
    const given = toValue(values) as ValueMap;
    const { top } = renderValues(this.#treeFor(given, []), given, release, capabilities, addedValues);
    return (top.get('Values') as TypedMap).entries;
  }

  /** Returns what finds the places that write fields of the manifests of an input, and the values that decide them. */
  tracer(input: RenderInput): FieldTracer {
    let traced: SampledInput = input;
    const outputOf = (file: string): TracedOutput | undefined => {
      try {
        return this.#outputOf(traced, file);
      } catch (error) {
        if (traced !== input || unsupportedCall(error) === undefined) throw error;
        // The manifests are the same with any result of random functions.
        const first = new Sample('first');
        traced = { ...input, sampleOf: () => first };
        return this.#outputOf(traced, file);
      }
    };
    return new FieldTracer({ outputOf, trialsOf: (file, text) => this.#trialsOf(traced, file, text) });
  }

  /**
   * Returns the fault of one file, as `faultOfFile`.
   *
   * @throws {ChartError} for values that do not match the chart
   */
  faultIn(input: RenderInput, file: string): FaultWithReads | undefined {
    const { root, top, parsed } = this.#prepare(input);
    const { templates, fileOf } = parsed;
    const wanted = templatesOf(root).findLast(({ name }) => fileOf.get(name) === file);
    if (wanted === undefined || templates instanceof Error) return undefined;
    const { strict = false, now, limits = {}, onSteps } = input;
    return faultOfFile({
      templates,
      template: wanted,
      values: (top.get('Values') as TypedMap).entries,
      scopes: (values) => scopesOf(root, new Map([...top, ['Values', valuesMap(values)]])),
      fileOf,
      charts: chartsAround(wanted),
      options: { strict, now, limits, onSteps },
    });
  }

  #outputOf(input: SampledInput, file: string): TracedOutput | undefined {
    let found: TracedOutput | undefined;
    this.renderTexts(input, ({ fileOf, templates }, template, output) => {
      if (fileOf.get(template.name) !== file || templates instanceof Error) return;
      found = {
        output,
        charts: chartsAround(template),
        fileOf: (name) => fileOf.get(name) ?? name,
        lookup: (name) => templates.tree(name),
      };
    });
    return found;
  }

  #trialsOf(input: SampledInput, file: string, text: string): ValueTrials | undefined {
    const { root, top, parsed } = this.#prepare(input);
    const { templates, fileOf } = parsed;
    const template = templatesOf(root).findLast(({ name }) => fileOf.get(name) === file);
    if (template === undefined || templates instanceof Error) return undefined;
    const { strict = false, now, sampleOf } = input;
    const renderingAfter =
      (others: readonly ChartTemplate[]) =>
      (values: ValueMap, onRead?: ReadListener): string => {
        const scopes = scopesOf(root, new Map([...top, ['Values', valuesMap(values)]]));
        const render = (each: ChartTemplate): string =>
          templates.renderOne(each, scopes.get(each.basePath) ?? new Map(), {
            strict,
            now,
            sampleOf,
            onRead,
          });
        for (const each of others) render(each);
        return render(template);
      };
    const earlier = templates.before(template);
    return new ValueTrials({
      text,
      values: (top.get('Values') as TypedMap).entries,
      charts: chartsAround(template),
      renderings: [[], ...earlier.map((each) => [each]), earlier].map(renderingAfter),
      decode: (output) => this.#objectsOf(output, file),
    });
  }

  #objectsOf(text: string, file: string): RenderedManifest[] {
    return this.#rules === 'helm'
      ? this.#decoded(text, file, 'client').flatMap(flattened)
      : this.#decoded(text, file, 'reader');
  }

  #decoded(text: string, file: string, splitting: Splitting): RenderedManifest[] {
    const decoded = this.#decoder.decode(text, file, splitting);
    if ('code' in decoded) throw new ChartError(decoded);
    return decoded.map((document) => ({ ...document, file }));
  }

  #treeFor(values: ValueMap, warnings: ChartFault[]): ChartNode {
    if (this.#rules === 'embedded') return this.#root;
    const tree = this.#root.copyTree();
    processDependencies(tree, values, (message) => warnings.push({ code: 'FW6034', message }));
    warnings.push(...missingDependencies(tree));
    return tree;
  }

  /** Subcharts that the values turn off are not parsed, because their definitions would replace others. */
  #parse(root: ChartNode): ParsedTree {
    const templates = templatesOf(root);
    const key = this.#rules === 'embedded' ? '' : templates.map(({ name }) => name).join('\n');
    let parsed = this.#parsed.get(key);
    if (parsed === undefined) {
      parsed = {
        templates: parse(templates),
        fileOf: new Map(templates.map(({ name, file }) => [name, file])),
      };
      this.#parsed.set(key, parsed);
    }
    return parsed;
  }
}

/** As action.Install of Helm, if the version of the cluster is known. */
function requireKubernetes(
  { metadata: { kubeVersion } }: ChartNode,
  { kubeVersion: { version } }: Capabilities,
): void {
  if (kubeVersion === '' || version === '' || isCompatible(kubeVersion, version)) return;
  throw new ChartError({
    code: 'FW6050',
    message: `chart requires kubeVersion: ${kubeVersion} which is incompatible with Kubernetes ${version}`,
    file: 'Chart.yaml',
  });
}

/** Returns the names of the charts around a template, without the root. */
function chartsAround({ basePath }: ChartTemplate): readonly string[] {
  return basePath
    .replace(/\/templates$/, '')
    .split('/charts/')
    .slice(1);
}

/** Values are merged several times. */
function distinct(warnings: readonly ChartFault[]): ChartFault[] {
  return [...new Map(warnings.map((warning) => [`${warning.code}\n${warning.message}`, warning])).values()];
}

function asHook(manifest: RenderedManifest): RenderedManifest {
  const hook = hookOf(manifest.object);
  return hook === undefined ? manifest : { ...manifest, hook };
}

function parse(templates: readonly ScopedTemplate[]): ChartTemplates | ChartRenderError | TemplateLimitError {
  try {
    // Of templates with one name, Helm takes the last.
    return new ChartTemplates([...new Map(templates.map((each) => [each.name, each])).values()]);
  } catch (error) {
    if (error instanceof ChartRenderError || error instanceof TemplateLimitError) return error;
    throw error;
  }
}
