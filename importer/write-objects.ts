import { ocmKinds } from '../schemas/kinds.ts';
import type { KubernetesObject } from '../kubernetes/object-meta.ts';
import type { AddOnTemplateV1alpha1 } from '../schemas/types.gen.ts';
import type { Inventory } from '../compiler/inventory.ts';
import { kindKey, groupOf, guessResource } from '../kubernetes/resource-name.ts';
import { apiObject } from './api-object.ts';
import type { Context } from './context.ts';
import { decisionGroups, groupKey, mandatoryGroups } from './decision-groups.ts';
import {
  call,
  create,
  literal,
  member,
  name,
  object,
  plain,
  type Expression,
  type Statement,
} from './expression.ts';
import { fit, type Obstacle } from './fit.ts';
import { creationRank, knownKind, type Section } from './kinds.ts';
import { renderable } from './nulls.ts';
import { typedObject } from './plus/typed-object.ts';
import type { ObjectScope } from './plus/workload-scope.ts';
import { Places } from './places.ts';
import { pluralsOf } from './plurals.ts';
import type { Subject } from './subjects.ts';
import { admitSynthesized, type Rendering, type Synthesizer } from './synthesizer.ts';
import type { WorkloadOwner } from './context.ts';
import { writeConstruct } from './write-construct.ts';
import { addOnGroup, clusterGroup } from '../schemas/groups.ts';

/** The statements that create one object, or that name something that several objects refer to. */
export interface Unit {
  readonly subject: Subject | undefined;
  readonly section: Section;
  readonly statements: readonly Statement[];
  /** Why the construct of its kind cannot represent the object, which is an ApiObject instead. */
  readonly obstacle: Obstacle | undefined;
}

/** An object that stays YAML. */
export interface Kept {
  readonly subject: Subject;
  readonly obstacle: Obstacle;
}

export interface WrittenObjects {
  /** Returns `const … = new Chart(…)`. */
  readonly charts: readonly Statement[];
  readonly units: readonly Unit[];
  readonly kept: readonly Kept[];
}

/**
 * Writes each object with the construct of its kind, otherwise with a construct that accepts any object; reports objects that
 * neither can represent.
 */
export function writeObjects(
  subjects: readonly Subject[],
  inventory: Inventory,
  synthesizer: Synthesizer,
  onProgress: (done: number, total: number) => void,
): WrittenObjects {
  const ordered = [...subjects].sort((a, b) => creationRank(a.read) - creationRank(b.read));
  const total = ordered.reduce((sum, { read }) => sum + 1 + manifestCount(read), 0);
  let done = 0;
  const onWritten = (): void => onProgress(++done, total);
  return new ObjectWriter(ordered, inventory, synthesizer, onWritten).write();
}

function manifestCount(object: KubernetesObject): number {
  if (kindKey(object) !== ocmKinds.addOnTemplate.key) return 0;
  // the kind guarantees that the object has the shape of the type
  const { spec } = object as KubernetesObject & AddOnTemplateV1alpha1;
  return spec.agentSpec.workload?.manifests?.length ?? 0;
}

/** A variable, and whether it holds a construct of another kind. */
interface Defined {
  readonly variable: string;
  readonly isPlain: boolean;
}

class ObjectWriter {
  readonly #subjects: readonly Subject[];
  readonly #synthesizer: Synthesizer;
  readonly #onWritten: () => void;
  readonly #places: Places;
  readonly #plurals: ReadonlyMap<string, string>;
  readonly #mandatory: ReadonlySet<string>;
  readonly #sets: ReadonlyMap<string, Statement>;
  /** By kind, namespace and name, and by resource, namespace and name. */
  readonly #defined = new Map<string, Defined>();
  /** The variables of decision groups, by their Placement and name. */
  readonly #groups = new Map<string, string>();

  /** @param onWritten - called after each object, and after each manifest of a template */
  constructor(
    subjects: readonly Subject[],
    inventory: Inventory,
    synthesizer: Synthesizer,
    onWritten: () => void,
  ) {
    this.#subjects = subjects;
    this.#onWritten = onWritten;
    this.#synthesizer = synthesizer;
    this.#places = new Places(subjects, new Set(inventory.managedClusters.keys()));
    this.#plurals = pluralsOf(subjects.map(({ raw }) => raw));
    this.#mandatory = mandatoryGroups(inventory);
    this.#sets = this.#nameSharedSets(inventory);
  }

  write(): WrittenObjects {
    const units: Unit[] = [];
    const kept: Kept[] = [];
    for (const statement of this.#sets.values()) {
      this.#run([statement], '');
      this.#synthesizer.keep();
      units.push({ subject: undefined, section: 'clusters', statements: [statement], obstacle: undefined });
    }
    for (const subject of this.#subjects) {
      const unit = this.#writeOne(subject);
      if ('reason' in unit) kept.push({ subject, obstacle: unit });
      else units.push(unit);
      this.#onWritten();
    }
    return { charts: this.#places.chartStatements(), units, kept };
  }

  #writeOne(subject: Subject): Unit | Obstacle {
    const section = knownKind(subject.read)?.section ?? 'hub';
    const ownConstruct = this.#asOwnConstruct(subject);
    if (ownConstruct !== undefined && !('reason' in ownConstruct)) {
      this.#accept(subject, false);
      return { subject, section, statements: ownConstruct, obstacle: undefined };
    }
    const statements = this.#asPlainObject(subject);
    if ('reason' in statements) return statements;
    this.#accept(subject, true);
    return { subject, section, statements, obstacle: ownConstruct };
  }

  /** Writes an object with the construct of its kind; undefined if there is none. */
  #asOwnConstruct(subject: Subject): readonly Statement[] | Obstacle | undefined {
    const groups = this.#nameGroups(subject.read);
    const written = writeConstruct(subject.read, subject.raw, this.#context(subject));
    if (written === undefined) return undefined;
    const fitted = 'reason' in written ? written : this.#fit([...groups.values(), ...written], subject);
    if ('reason' in fitted) for (const key of groups.keys()) this.#groups.delete(key);
    return fitted;
  }

  /** Writes an object with the class of cdk8s-plus that types a Kubernetes kind, otherwise as an ApiObject. */
  #asPlainObject(subject: Subject): readonly Statement[] | Obstacle {
    const { raw, read } = subject;
    const { chart, id, namespace, variable } = this.#places.of(subject);
    const typed = typedObject(renderable(raw), this.#hubScope(subject));
    // first as if the kind had no namespaces, in which case a chart sets none
    const scopes = read.metadata.namespace === undefined ? [undefined, namespace] : [namespace];
    const values = [
      ...(typed === undefined ? [] : [typed]),
      ...[...new Set(scopes)].map((scopeNamespace) => apiObject(renderable(raw), chart, id, scopeNamespace)),
    ];
    let obstacle: Obstacle = { path: [], reason: 'cannot be created' };
    for (const value of values) {
      const fitted = this.#fit([{ name: variable, value, path: [] }], subject);
      if (!('reason' in fitted)) return fitted;
      obstacle = fitted;
    }
    return obstacle;
  }

  #fit(statements: readonly Statement[], subject: Subject): readonly Statement[] | Obstacle {
    const { variable } = this.#places.of(subject);
    return fit(statements, variable, subject, (candidate) => this.#run(candidate, variable));
  }

  #hubScope(subject: Subject): ObjectScope {
    const { chart, id, namespace } = this.#places.of(subject);
    return {
      variable: chart,
      namespace,
      id,
      defaultName: undefined,
      text: literal,
      nameOf: (type, objectNamespace, objectName) => {
        const end = type.lastIndexOf('/');
        const group = groupOf(type.slice(0, end));
        const defined = this.#defined.get(keyOf(group, type.slice(end + 1), objectNamespace, objectName));
        return defined && member(defined.variable, 'name');
      },
    };
  }

  #accept(subject: Subject, isPlain: boolean): void {
    this.#synthesizer.keep();
    const { variable } = this.#places.of(subject);
    const { apiVersion, kind, metadata } = subject.read;
    const group = groupOf(apiVersion);
    const defined = { variable, isPlain };
    this.#defined.set(keyOf(group, kind, metadata.namespace, metadata.name), defined);
    const resource = this.#plurals.get(kindKey(subject.read)) ?? guessResource(kind);
    this.#defined.set(keyOf(group, resource, metadata.namespace, metadata.name), defined);
  }

  #context(subject: Subject): Context {
    const constructOf = (group: string, kind: string, namespace: string | undefined, objectName: string) => {
      const defined = this.#defined.get(keyOf(group, kind, namespace, objectName));
      return defined === undefined || defined.isPlain ? undefined : name(defined.variable);
    };
    return {
      place: this.#places.of(subject),
      placement: (namespace, placement) =>
        constructOf(clusterGroup, 'Placement', namespace, placement) ??
        call('Placement', 'reference', literal(namespace), literal(placement)),
      addOn: (addOn) =>
        constructOf(addOnGroup, 'ClusterManagementAddOn', undefined, addOn) ??
        call('ClusterManagementAddOn', 'reference', literal(addOn)),
      clusterSet: (set) => {
        const shared = this.#sets.get(set)?.name;
        return shared === undefined ? setReference(set) : name(shared);
      },
      config: (reference) => {
        const { group, resource, namespace } = reference;
        const defined = this.#defined.get(keyOf(group, resource, namespace, reference.name));
        if (defined === undefined) return call('AddOnConfig', 'of', plain(reference, undefined));
        if (!defined.isPlain) return name(defined.variable);
        return call('AddOnConfig', 'fromObject', name(defined.variable), literal(resource));
      },
      variable: (group, kind, namespace, objectName) =>
        this.#defined.get(keyOf(group, kind, namespace, objectName))?.variable,
      decisionGroup: (placement, group) => this.#groups.get(groupKey(placement, group)),
      renderManifest: (needed, statements, owner) => this.#renderManifest(needed, statements, owner),
      manifestWritten: this.#onWritten,
    };
  }

  #renderManifest(
    needed: readonly (readonly Statement[])[],
    statements: readonly Statement[],
    { addonName, namespace }: WorkloadOwner,
  ): Rendering {
    const template = create(
      'AddOnTemplate',
      name(this.#places.anyChart),
      literal('template'),
      object({
        addonName: literal(addonName),
        workloadNamespace: literal(namespace),
        workload: { type: 'function', parameter: 'scope', body: [...needed.flat(), ...statements] },
      }),
    );
    const rendering = this.#run([{ name: 'template', value: template }], 'template');
    if ('error' in rendering) return rendering;
    const admitted = admitSynthesized(rendering.object);
    const spec = admitted?.['spec'] as AddOnTemplateV1alpha1['spec'] | undefined;
    const manifests = spec?.agentSpec.workload?.manifests ?? [];
    const last = manifests.at(-1);
    return manifests.length === needed.length + 1 && last !== undefined
      ? { object: last }
      : { error: 'the API server rejects the manifest' };
  }

  #run(statements: readonly Statement[], definition: string): Rendering {
    return this.#synthesizer.run(statements, definition, this.#places.chartNamespaces);
  }

  /** Returns a variable for each decision group that a rollout names, by key, so that the Placement and the rollout share it. */
  #nameGroups(read: KubernetesObject): Map<string, Statement> {
    const named = new Map<string, Statement>();
    for (const { key, groupName, value, path } of decisionGroups(read)) {
      if (!this.#mandatory.has(key)) continue;
      const { name: placement = '' } = read.metadata;
      const variable = this.#places.variables.take([
        groupName,
        `${groupName}-group`,
        `${placement}-${groupName}`,
        `group-${groupName}`,
      ]);
      this.#groups.set(key, variable);
      named.set(key, { name: variable, value, path });
    }
    return named;
  }

  /** Names a set once if several objects refer to it. */
  #nameSharedSets({ managedClusterSetBindings, placements }: Inventory): Map<string, Statement> {
    const used = [
      ...[...managedClusterSetBindings.values()].map(({ object }) => object.spec?.clusterSet ?? ''),
      ...[...placements.values()].flatMap(({ object }) => object.spec?.clusterSets ?? []),
    ];
    const seen = new Set<string>();
    const shared = new Map<string, Statement>();
    for (const set of used) {
      if (seen.has(set) && !shared.has(set) && !ownSets.has(set)) {
        const variable = this.#places.variables.take([set, `${set}-set`, `set-${set}`]);
        shared.set(set, { name: variable, value: setReference(set) });
      }
      seen.add(set);
    }
    return shared;
  }
}

/** The sets that every hub has. */
const ownSets: ReadonlySet<string> = new Set(['global', 'default']);

function setReference(set: string): Expression {
  return ownSets.has(set)
    ? member('ManagedClusterSet', set)
    : call('ManagedClusterSet', 'reference', literal(set));
}

function keyOf(group: string, kind: string, namespace: string | undefined, objectName = ''): string {
  return `${group}/${kind} ${namespace ?? ''}/${objectName}`;
}
