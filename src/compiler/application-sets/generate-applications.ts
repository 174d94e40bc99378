import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { dnsSubdomainErrors, labelValueErrors, qualifiedNameErrors } from '../../base/names/name-errors.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import { clusterGroup } from '../../../schemas/groups.ts';
import { decisionGenerators, fieldAt, isOfKind, namespaceOf, textAt } from '../api/placement-references.ts';
import { identityOfKey, type Admitted, type Inventory } from '../model/inventory.ts';
import type { Decisions } from '../place/decision.ts';
import {
  destinationOf,
  normalizedSpec,
  resourcesFinalizer,
  type ApplicationObject,
  type GeneratedApplication,
  type InvalidDestination,
} from './application.ts';
import { argoCdClusters, configMapIn, type ArgoCdClusters } from './argo-cd-clusters.ts';
import { ControllerPanic, GenerationError, UnansweredError } from './generation-error.ts';
import type { GeneratorContext } from './generators/context.ts';
import { generateParameters } from './generators/generate-parameters.ts';
import type { Parameters } from './parameters.ts';
import { mergedTemplate } from './templates/merge-template.ts';
import { Replacement } from './templates/replacement.ts';
import { patchedApplication } from './templates/template-patch.ts';

/** What Argo CD makes of an ApplicationSet. */
export interface Generation {
  /** By name. Argo CD creates them, and updates those that exist. */
  readonly applications: readonly GeneratedApplication[];
  /** Applications that are neither created nor updated, by name, with the reason. Those that exist are kept. */
  readonly invalid: ReadonlyMap<string, string>;
  /** Whether the API server rejects an Application. After that, Argo CD deletes none. */
  readonly deletesNothing?: true;
  /** Why Argo CD changes no Application at all. */
  readonly error?: string;
  /** The part that is not evaluated here, such as `the git generator`: the Applications are unknown. */
  readonly unanswered?: string;
  /** Whether the inputs do not have the clusters that Argo CD knows, so that all clusters of the fleet are assumed. */
  readonly assumesClusters: boolean;
}

/** What is read besides an ApplicationSet. */
export interface GenerationInputs {
  readonly inventory: Pick<Inventory, 'others' | 'elsewhere'>;
  readonly decisions: Pick<Decisions, 'clusters' | 'byPlacement'>;
}

const generators = new WeakMap<GenerationInputs['inventory'], ApplicationGenerator>();

/** Returns the generator of one state. All users of the state share it, so that each ApplicationSet is generated once. */
export function applicationGenerator({ inventory, decisions }: GenerationInputs): ApplicationGenerator {
  const existing = generators.get(inventory);
  if (existing?.decisions === decisions) return existing;
  const generator = new ApplicationGenerator({ inventory, decisions });
  generators.set(inventory, generator);
  return generator;
}

/** Generates the Applications of the ApplicationSets of one state. Clusters and decisions are read once per namespace. */
export class ApplicationGenerator {
  readonly #inputs: GenerationInputs;
  readonly #clusters = new Map<string, ArgoCdClusters>();
  readonly #generations = new Map<Admitted, Generation>();
  readonly #decided = new Map<string, GeneratorContext['decisions']>();

  constructor(inputs: GenerationInputs) {
    this.#inputs = inputs;
  }

  get decisions(): GenerationInputs['decisions'] {
    return this.#inputs.decisions;
  }

  /** The ApplicationSets, in load order. */
  sets(): readonly Admitted[] {
    return this.#inputs.inventory.others.filter((admitted) =>
      isOfKind(admitted, 'argoproj.io', 'ApplicationSet'),
    );
  }

  /** The clusters that Argo CD knows in a namespace. */
  clusters(namespace: string): ArgoCdClusters {
    const { inventory, decisions } = this.#inputs;
    return getOrInsertComputed(this.#clusters, namespace, () =>
      argoCdClusters(inventory, decisions, namespace),
    );
  }

  /** Returns the Applications of an ApplicationSet, as Argo CD's ApplicationSet controller in the namespace of the object. */
  generate(holder: Admitted): Generation {
    return getOrInsertComputed(this.#generations, holder, () => this.#generate(holder));
  }

  #generate(holder: Admitted): Generation {
    const namespace = namespaceOf(holder);
    const clusters = this.clusters(namespace);
    const assumesClusters = clusters.isAssumed;
    const nothing = { applications: [], invalid: new Map(), assumesClusters };
    const { repository } = this.#inputs.inventory.elsewhere;
    const missing = this.#unknownPlacement(holder);
    if (missing !== undefined)
      return {
        ...nothing,
        unanswered: `the decision of Placement "${missing}", which the inputs do not have,`,
      };
    try {
      const objects = applicationObjects(holder.object, {
        replacement: replacementOf(holder),
        clusters: clusters.byName,
        decisions: this.#decisionsIn(namespace),
        configMap: (name) => configMapIn(this.#inputs.inventory, namespace, name),
        ...(repository && { repository }),
      });
      return { ...validated(objects, clusters), assumesClusters };
    } catch (error) {
      if (error instanceof GenerationError) return { ...nothing, error: error.message };
      if (error instanceof UnansweredError) return { ...nothing, unanswered: error.part };
      throw error;
    }
  }

  /** Returns a Placement that a generator names, and that may exist outside of the inputs. */
  #unknownPlacement(holder: Admitted): string | undefined {
    const { inventory, decisions } = this.#inputs;
    const configMap = (key: string): JsonMap => ({
      data: configMapIn(inventory, namespaceOf(holder), identityOfKey(key).name),
    });
    return decisionGenerators(holder, configMap)
      .flatMap(({ references }) => references.map(({ key }) => key))
      .find((key) => {
        const identity = { group: clusterGroup, kind: 'Placement', ...identityOfKey(key) };
        return !decisions.byPlacement.has(key) && inventory.elsewhere.existence(identity) !== 'missing';
      });
  }

  #decisionsIn(namespace: string): GeneratorContext['decisions'] {
    return getOrInsertComputed(this.#decided, namespace, () =>
      [...this.#inputs.decisions.byPlacement.values()].flatMap(({ objects }) =>
        objects.filter(({ metadata }) => metadata.namespace === namespace),
      ),
    );
  }
}

function replacementOf({ object }: Admitted): Replacement {
  const options = fieldAt(object, ['spec', 'goTemplateOptions']);
  const texts = isJsonList(options) ? options.filter((option) => typeof option === 'string') : [];
  return new Replacement(fieldAt(object, ['spec', 'goTemplate']) === true, texts);
}

/**
 * Returns the Applications of all generators. An error of one ends all, after the controller has tried the others: a panic hides it,
 * and it is certain even if another generator is not evaluated.
 */
function applicationObjects(
  applicationSet: unknown,
  context: GeneratorContext,
): readonly ApplicationObject[] {
  const generators = fieldAt(applicationSet, ['spec', 'generators']);
  const template = fieldAt(applicationSet, ['spec', 'template']);
  const errors: (GenerationError | UnansweredError)[] = [];
  const objects = (isJsonList(generators) ? generators : []).filter(isJsonMap).flatMap((entry) => {
    try {
      return generateParameters(entry, context).flatMap(({ parameters, template: own }) => {
        const merged = mergedTemplate(own, isJsonMap(template) ? template : {});
        return parameters.map((each) => rendered(merged, each, applicationSet, context.replacement));
      });
    } catch (error) {
      if (!(error instanceof GenerationError || error instanceof UnansweredError)) throw error;
      errors.push(error);
      return [];
    }
  });
  const [first] = errors;
  if (first === undefined) return objects;
  throw (
    errors.find((error) => error instanceof ControllerPanic) ??
    errors.find((error) => error instanceof GenerationError) ??
    first
  );
}

function rendered(
  template: JsonMap,
  parameters: Parameters,
  applicationSet: unknown,
  replacement: Replacement,
): ApplicationObject {
  const preserves = fieldAt(applicationSet, ['spec', 'syncPolicy', 'preserveResourcesOnDeletion']) === true;
  const patch = textAt(applicationSet, ['spec', 'templatePatch']);
  let application = { metadata: mapIn(template, 'metadata'), spec: mapIn(template, 'spec') };
  // Without parameters, the controller takes the template as it is, even without finalizers.
  if (parameters.size > 0) {
    const replaced = replacement.deepMap(application, parameters);
    const metadata = mapIn(replaced, 'metadata');
    const finalizers = metadata['finalizers'];
    const hasFinalizers = isJsonList(finalizers) && finalizers.length > 0;
    application = {
      metadata: preserves || hasFinalizers ? metadata : { ...metadata, finalizers: [resourcesFinalizer] },
      spec: mapIn(replaced, 'spec'),
    };
  }
  const patched =
    patch === undefined ? application : patchedApplication(application, replacement.text(patch, parameters));
  return { metadata: mapIn(patched, 'metadata'), spec: mapIn(patched, 'spec') };
}

function mapIn(object: JsonMap, field: string): JsonMap {
  const value = object[field];
  return isJsonMap(value) ? value : {};
}

const invalidDestinations: Readonly<Record<InvalidDestination, string>> = {
  'no destination': 'there is no destination',
  'two destinations': 'the destination has a name and a server',
  'unknown cluster': 'the destination is an unknown cluster',
};

/** Separates what the controller does not create. As validateGeneratedApplications of Argo CD, without AppProjects. */
function validated(
  objects: readonly ApplicationObject[],
  clusters: ArgoCdClusters,
): Pick<Generation, 'applications' | 'deletesNothing' | 'invalid'> {
  const invalid = new Map<string, string>();
  const byName = new Map<string, GeneratedApplication>();
  for (const object of objects) {
    const name = textAt(object.metadata, ['name']) ?? '';
    if (byName.has(name) || invalid.has(name)) {
      invalid.set(name, 'several Applications have the name');
      continue;
    }
    const destination = destinationOf(object, clusters);
    if (textAt(object.spec, ['project']) === undefined) invalid.set(name, 'there is no project');
    else if ('cluster' in destination) byName.set(name, { name, object, cluster: destination.cluster });
    else if (clusters.isAssumed && destination.invalid === 'unknown cluster')
      byName.set(name, { name, object });
    else invalid.set(name, invalidDestinations[destination.invalid]);
  }
  for (const name of invalid.keys()) byName.delete(name);
  const rejected = [...byName.values()].filter(({ object: { metadata } }) => isRejected(metadata));
  for (const { name } of rejected) {
    byName.delete(name);
    invalid.set(name, 'the API server rejects its name or labels');
  }
  const applications = Array.from(byName.values(), ({ object, ...others }) => ({
    ...others,
    object: { ...object, spec: normalizedSpec(object.spec) },
  })).sort((a, b) => compareUtf8(a.name, b.name));
  return { applications, invalid, ...(rejected.length > 0 && { deletesNothing: true }) };
}

function isRejected(metadata: JsonMap): boolean {
  const [labels, annotations] = ['labels', 'annotations'].map((field) =>
    Object.entries(mapIn(metadata, field)),
  );
  const keys = [...(labels ?? []), ...(annotations ?? [])].map(([key]) => key);
  return (
    dnsSubdomainErrors(textAt(metadata, ['name']) ?? '').length > 0 ||
    keys.some((key) => qualifiedNameErrors(key).length > 0) ||
    (labels ?? []).some(([, value]) => typeof value === 'string' && labelValueErrors(value).length > 0)
  );
}
