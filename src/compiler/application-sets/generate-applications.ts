import type { JsonMap } from '../../base/json/json-map.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import { clusterGroup } from '../../../schemas/groups.ts';
import { decisionGenerators, isOfKind, namespaceOf } from '../api/placement-references.ts';
import { identityOfKey, type Admitted, type Inventory } from '../model/inventory.ts';
import type { Decisions } from '../place/decision.ts';
import { destinationOf, type GeneratedApplication, type InvalidDestination } from './application.ts';
import { applicationRenderer, type RenderedApplication } from './application-renderer.ts';
import { argoCdClusters, configMapIn, type ArgoCdClusters } from './argo-cd-clusters.ts';
import { GenerationError, UnansweredError } from './generation-error.ts';
import type { GeneratorContext } from './generators/context.ts';

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
      const rendered = applicationRenderer(holder.object).render({
        clusters: clusters.byName,
        decisions: this.#decisionsIn(namespace),
        configMap: (name) => configMapIn(this.#inputs.inventory, namespace, name),
        ...(repository && { repository }),
      });
      return { ...validated(rendered, clusters), assumesClusters };
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

const invalidDestinations: Readonly<Record<InvalidDestination, string>> = {
  'no destination': 'there is no destination',
  'two destinations': 'the destination has a name and a server',
  'unknown cluster': 'the destination is an unknown cluster',
};

/** Separates what the controller does not create. As validateGeneratedApplications of Argo CD, without AppProjects. */
function validated(
  rendered: readonly RenderedApplication[],
  clusters: ArgoCdClusters,
): Pick<Generation, 'applications' | 'deletesNothing' | 'invalid'> {
  const invalid = new Map<string, string>();
  const byName = new Map<string, GeneratedApplication>();
  const rejected = new Set<string>();
  for (const { name, object, destination: written, hasProject, isRejected } of rendered) {
    if (byName.has(name) || invalid.has(name)) {
      invalid.set(name, 'several Applications have the name');
      continue;
    }
    const destination = destinationOf(written, clusters);
    if (!hasProject) invalid.set(name, 'there is no project');
    else if ('cluster' in destination) byName.set(name, { name, object, cluster: destination.cluster });
    else if (clusters.isAssumed && destination.invalid === 'unknown cluster')
      byName.set(name, { name, object });
    else invalid.set(name, invalidDestinations[destination.invalid]);
    if (isRejected) rejected.add(name);
  }
  for (const name of invalid.keys()) byName.delete(name);
  let deletesNothing = false;
  for (const name of rejected)
    if (byName.delete(name)) {
      deletesNothing = true;
      invalid.set(name, 'the API server rejects its name or labels');
    }
  const applications = [...byName.values()].sort((a, b) => compareUtf8(a.name, b.name));
  return { applications, invalid, ...(deletesNothing && { deletesNothing }) };
}
