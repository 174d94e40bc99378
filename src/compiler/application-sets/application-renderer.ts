import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { goJson } from '../../base/json/go-json.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { dnsSubdomainErrors, labelValueErrors, qualifiedNameErrors } from '../../base/names/name-errors.ts';
import { fieldAt, textAt } from '../api/placement-references.ts';
import {
  normalizedSpec,
  resourcesFinalizer,
  writtenDestination,
  type ApplicationObject,
  type WrittenDestination,
} from './application.ts';
import { ControllerPanic, GenerationError, UnansweredError } from './generation-error.ts';
import type { GeneratorContext } from './generators/context.ts';
import { generateParameters } from './generators/generate-parameters.ts';
import { keyOfParameters, type Parameters } from './parameters.ts';
import { mergedTemplate } from './templates/merge-template.ts';
import { Replacement } from './templates/replacement.ts';
import { patchedApplication } from './templates/template-patch.ts';

/** What a template of an ApplicationSet renders with one set of parameters. */
export interface RenderedApplication {
  readonly name: string;
  /** As Argo CD stores it. */
  readonly object: ApplicationObject;
  readonly destination: WrittenDestination;
  readonly hasProject: boolean;
  /** Whether the API server rejects its name, or its labels or annotations. */
  readonly isRejected: boolean;
}

/** Applications by their parameters. */
type ByParameters = Map<string, RenderedApplication>;

const renderers = new WeakMap<JsonMap, ApplicationRenderer>();

/**
 * Returns the renderer of an ApplicationSet. States that have the same one share it.
 *
 * @throws {GenerationError} for an option that Go does not have
 */
export function applicationRenderer(applicationSet: JsonMap): ApplicationRenderer {
  return getOrInsertComputed(renderers, applicationSet, () => new ApplicationRenderer(applicationSet));
}

/**
 * Renders the Applications of one ApplicationSet. An Application whose parameters are those of the state before is the same object, so
 * that states that are compared cost what differs.
 */
class ApplicationRenderer {
  readonly #applicationSet: JsonMap;
  readonly #template: JsonMap;
  readonly #replacement: Replacement;
  /** Whether functions such as `set` and `merge` may change the parameters, which other ApplicationSets have too. */
  readonly #changesParameters: boolean;
  /** By the template that a generator has itself. */
  readonly #merged = new Map<unknown, JsonMap>();
  /** The Applications of the last state, by template. */
  #last: ReadonlyMap<JsonMap, ByParameters> = new Map();

  constructor(applicationSet: JsonMap) {
    const [template, usesGo, options] = ['template', 'goTemplate', 'goTemplateOptions'].map((field) =>
      fieldAt(applicationSet, ['spec', field]),
    );
    this.#applicationSet = applicationSet;
    this.#template = isJsonMap(template) ? template : {};
    const texts = isJsonList(options) ? options.filter((option) => typeof option === 'string') : [];
    this.#replacement = new Replacement(usesGo === true, texts);
    this.#changesParameters = usesGo === true && /set|merge/i.test(goJson(applicationSet['spec'] ?? null));
  }

  /**
   * Returns the Applications of all generators. An error of one ends all, after the controller has tried the others: a panic hides
   * it, and it is certain even if another generator is not evaluated.
   *
   * @throws {GenerationError} @throws {UnansweredError}
   */
  render(inputs: Omit<GeneratorContext, 'project' | 'replacement'>): readonly RenderedApplication[] {
    const project = textAt(this.#template, ['spec', 'project']) ?? '';
    const context = { ...inputs, project, replacement: this.#replacement };
    const generators = fieldAt(this.#applicationSet, ['spec', 'generators']);
    const errors: (GenerationError | UnansweredError)[] = [];
    const present = new Map<JsonMap, ByParameters>();
    const applications = (isJsonList(generators) ? generators : []).filter(isJsonMap).flatMap((entry) => {
      try {
        return generateParameters(entry, context).flatMap(({ parameters, template: own }) => {
          const template = getOrInsertComputed(this.#merged, own, () => mergedTemplate(own, this.#template));
          const byParameters = getOrInsertComputed(present, template, () => new Map());
          return parameters.map((each) => this.#shared(template, each, byParameters));
        });
      } catch (error) {
        if (!(error instanceof GenerationError || error instanceof UnansweredError)) throw error;
        errors.push(error);
        return [];
      }
    });
    const [first] = errors;
    if (first !== undefined)
      throw (
        errors.find((error) => error instanceof ControllerPanic) ??
        errors.find((error) => error instanceof GenerationError) ??
        first
      );
    this.#last = present;
    return applications;
  }

  #shared(template: JsonMap, parameters: Parameters, present: ByParameters): RenderedApplication {
    const key = keyOfParameters(parameters);
    if (key === '') return this.#render(template, parameters);
    return getOrInsertComputed(
      present,
      key,
      () => this.#last.get(template)?.get(key) ?? this.#render(template, parameters),
    );
  }

  #render(template: JsonMap, parameters: Parameters): RenderedApplication {
    const own = this.#changesParameters ? new Map(parameters) : parameters;
    const { metadata, spec } = this.#replaced(template, own);
    const name = textAt(metadata, ['name']) ?? '';
    return {
      name,
      object: { metadata, spec: normalizedSpec(spec) },
      destination: writtenDestination({ metadata, spec }),
      hasProject: textAt(spec, ['project']) !== undefined,
      isRejected: isRejected(name, metadata),
    };
  }

  #replaced(template: JsonMap, parameters: Parameters): ApplicationObject {
    const preserves =
      fieldAt(this.#applicationSet, ['spec', 'syncPolicy', 'preserveResourcesOnDeletion']) === true;
    const patch = textAt(this.#applicationSet, ['spec', 'templatePatch']);
    let application = { metadata: mapIn(template, 'metadata'), spec: mapIn(template, 'spec') };
    // Without parameters, the controller takes the template as it is, even without finalizers.
    if (parameters.size > 0) {
      const metadata = this.#replacement.deepMap(application.metadata, parameters);
      const finalizers = metadata['finalizers'];
      const hasFinalizers = isJsonList(finalizers) && finalizers.length > 0;
      application = {
        metadata: preserves || hasFinalizers ? metadata : { ...metadata, finalizers: [resourcesFinalizer] },
        spec: this.#replacement.deepMap(application.spec, parameters),
      };
    }
    if (patch === undefined) return application;
    const patched = patchedApplication(application, this.#replacement.text(patch, parameters));
    return { metadata: mapIn(patched, 'metadata'), spec: mapIn(patched, 'spec') };
  }
}

function mapIn(object: JsonMap, field: string): JsonMap {
  const value = object[field];
  return isJsonMap(value) ? value : {};
}

function isRejected(name: string, metadata: JsonMap): boolean {
  const [labels = [], annotations = []] = ['labels', 'annotations'].map((field) =>
    Object.entries(mapIn(metadata, field)),
  );
  return (
    dnsSubdomainErrors(name).length > 0 ||
    [...labels, ...annotations].some(([key]) => qualifiedNameErrors(key).length > 0) ||
    labels.some(([, value]) => typeof value === 'string' && labelValueErrors(value).length > 0)
  );
}
