import { ocmKinds } from '../../schemas/kinds.ts';
import type { KubernetesObject } from '../base/objects/object-meta.ts';
import type { AddOnTemplateV1alpha1 } from '../../schemas/types.gen.ts';
import type { Inventory } from '../compiler/model/inventory.ts';
import { WrittenForms } from '../compiler/revisions/written-form.ts';
import { configKey } from '../compiler/revisions/name-by-content.ts';
import { revisionOfAnnotation } from '../ocm/fleetwright-annotations.ts';
import { kindKey, groupOf, guessResource } from '../base/names/resource-name.ts';
import { apiObject } from './constructs/api-object.ts';
import type { Context } from './context.ts';
import { decisionGroups, groupKey, mandatoryGroups } from './constructs/decision-groups.ts';
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
} from './code/expression.ts';
import { fit, type Obstacle } from './fit.ts';
import { creationRank, kindWithConstruct, type Section } from './kinds.ts';
import { renderable } from './nulls.ts';
import { typedObject } from './plus/typed-object.ts';
import type { ObjectScope } from './plus/workload-scope.ts';
import { ConstructLocations } from './construct-locations.ts';
import { pluralsOf } from './plurals.ts';
import type { Subject } from './constructs/subjects.ts';
import { admitSynthesized, type Rendering, type Synthesizer } from './synthesizer.ts';
import type { WorkloadOwner } from './context.ts';
import { writeConstruct } from './constructs/write-construct.ts';
import { addOnGroup, clusterGroup } from '../../schemas/groups.ts';

/** The statements that create one object, or that name something that several objects refer to. */
export interface Unit {
  readonly subject: Subject | undefined;
  readonly section: Section;
  readonly statements: readonly Statement[];
  /** Why the construct of its kind cannot represent the object, which is an ApiObject instead. */
  readonly obstacle: Obstacle | undefined;
}

/** An object that stays YAML. */
export interface YamlObject {
  readonly subject: Subject;
  readonly obstacle: Obstacle;
}

export interface ImportedCode {
  /** Returns `const … = new Chart(…)`. */
  readonly charts: readonly Statement[];
  readonly units: readonly Unit[];
  readonly yamlObjects: readonly YamlObject[];
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
): ImportedCode {
  const ordered = [...subjects].sort(
    (a, b) => creationRank(a.controllerView) - creationRank(b.controllerView),
  );
  const total = ordered.reduce((sum, { controllerView }) => sum + 1 + manifestCount(controllerView), 0);
  let done = 0;
  const onStep = (): void => onProgress(++done, total);
  return new ObjectWriter(ordered, inventory, synthesizer, onStep).write();
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

/** Returns the objects that are written with the name of a revision. */
function keptNames(subjects: readonly Subject[]): ReadonlySet<string> {
  return new Set(
    subjects.flatMap(({ raw }) =>
      raw.metadata.annotations?.[revisionOfAnnotation] === undefined
        ? []
        : (configKey({ object: raw }) ?? []),
    ),
  );
}

class ObjectWriter {
  readonly #subjects: readonly Subject[];
  readonly #synthesizer: Synthesizer;
  /** The objects to write have the names that the user wrote. Those that constructs create have the names on the hub. */
  readonly #writtenForms: WrittenForms;
  readonly #onStep: () => void;
  readonly #locations: ConstructLocations;
  readonly #plurals: ReadonlyMap<string, string>;
  readonly #mandatory: ReadonlySet<string>;
  readonly #sets: ReadonlyMap<string, Statement>;
  /** By kind, namespace and name, and by resource, namespace and name. */
  readonly #defined = new Map<string, Defined>();
  /** The variables of decision groups, by their Placement and name. */
  readonly #groups = new Map<string, string>();

  /** @param onStep - called after each object, and after each manifest of a template */
  constructor(
    subjects: readonly Subject[],
    inventory: Inventory,
    synthesizer: Synthesizer,
    onStep: () => void,
  ) {
    this.#subjects = subjects;
    this.#writtenForms = new WrittenForms(keptNames(subjects));
    this.#onStep = onStep;
    this.#synthesizer = synthesizer;
    this.#locations = new ConstructLocations(subjects, new Set(inventory.managedClusters.keys()));
    this.#plurals = pluralsOf(subjects.map(({ raw }) => raw));
    this.#mandatory = mandatoryGroups(inventory);
    this.#sets = this.#nameSharedSets(inventory);
  }

  write(): ImportedCode {
    const units: Unit[] = [];
    const yamlObjects: YamlObject[] = [];
    for (const statement of this.#sets.values()) {
      this.#run([statement], '');
      this.#synthesizer.accept();
      units.push({ subject: undefined, section: 'clusters', statements: [statement], obstacle: undefined });
    }
    for (const subject of this.#subjects) {
      const unit = this.#writeOne(subject);
      if ('reason' in unit) yamlObjects.push({ subject, obstacle: unit });
      else units.push(unit);
      this.#onStep();
    }
    return { charts: this.#locations.chartStatements(), units, yamlObjects };
  }

  #writeOne(subject: Subject): Unit | Obstacle {
    const section = kindWithConstruct(subject.controllerView)?.section ?? 'hub';
    const construct = this.#asConstructOfKind(subject);
    if (construct !== undefined && !('reason' in construct)) {
      this.#accept(subject, false);
      return { subject, section, statements: construct, obstacle: undefined };
    }
    const statements = this.#asPlainObject(subject);
    if ('reason' in statements) return statements;
    this.#accept(subject, true);
    return { subject, section, statements, obstacle: construct };
  }

  /** Writes an object with the construct of its kind; undefined if there is none. */
  #asConstructOfKind(subject: Subject): readonly Statement[] | Obstacle | undefined {
    const groups = this.#nameGroups(subject.controllerView);
    const statements = writeConstruct(subject.controllerView, subject.raw, this.#context(subject));
    if (statements === undefined) return undefined;
    const fitted =
      'reason' in statements ? statements : this.#fit([...groups.values(), ...statements], subject);
    if ('reason' in fitted) for (const key of groups.keys()) this.#groups.delete(key);
    return fitted;
  }

  /** Writes an object with the class of cdk8s-plus that types a Kubernetes kind, otherwise as an ApiObject. */
  #asPlainObject(subject: Subject): readonly Statement[] | Obstacle {
    const { raw, controllerView } = subject;
    const { chart, id, namespace, variable } = this.#locations.of(subject);
    const typed = typedObject(renderable(raw), this.#hubScope(subject));
    // first as if the kind had no namespaces, in which case a chart sets none
    const scopes = controllerView.metadata.namespace === undefined ? [undefined, namespace] : [namespace];
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
    const { variable } = this.#locations.of(subject);
    return fit(statements, variable, subject, (candidate) => this.#run(candidate, variable));
  }

  #hubScope(subject: Subject): ObjectScope {
    const { chart, id, namespace } = this.#locations.of(subject);
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
    this.#synthesizer.accept();
    const { variable } = this.#locations.of(subject);
    const { apiVersion, kind, metadata } = subject.controllerView;
    const group = groupOf(apiVersion);
    const defined = { variable, isPlain };
    this.#defined.set(keyOf(group, kind, metadata.namespace, metadata.name), defined);
    const resource = this.#plurals.get(kindKey(subject.controllerView)) ?? guessResource(kind);
    this.#defined.set(keyOf(group, resource, metadata.namespace, metadata.name), defined);
  }

  #context(subject: Subject): Context {
    const constructOf = (group: string, kind: string, namespace: string | undefined, objectName: string) => {
      const defined = this.#defined.get(keyOf(group, kind, namespace, objectName));
      return defined === undefined || defined.isPlain ? undefined : name(defined.variable);
    };
    return {
      location: this.#locations.of(subject),
      placement: (namespace, placement) =>
        constructOf(clusterGroup, 'Placement', namespace, placement) ??
        call('Placement', 'reference', literal(namespace), literal(placement)),
      addOn: (addOn) =>
        constructOf(addOnGroup, 'ClusterManagementAddOn', undefined, addOn) ??
        call('ClusterManagementAddOn', 'reference', literal(addOn)),
      clusterSet: (set) => {
        const created = constructOf(clusterGroup, 'ManagedClusterSet', undefined, set);
        if (created !== undefined) return created;
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
      reportManifest: this.#onStep,
    };
  }

  #renderManifest(
    needed: readonly (readonly Statement[])[],
    statements: readonly Statement[],
    { addonName, namespace }: WorkloadOwner,
  ): Rendering {
    const template = create(
      'AddOnTemplate',
      name(this.#locations.anyChart),
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
    const rendering = this.#synthesizer.run(statements, definition, this.#locations.chartNamespaces);
    return 'object' in rendering ? { object: this.#writtenForms.of(rendering.object) } : rendering;
  }

  /** Returns a variable for each decision group that a rollout names, by key, so that the Placement and the rollout share it. */
  #nameGroups(source: KubernetesObject): Map<string, Statement> {
    const named = new Map<string, Statement>();
    for (const { key, groupName, value, path } of decisionGroups(source)) {
      if (!this.#mandatory.has(key)) continue;
      const { name: placement = '' } = source.metadata;
      const variable = this.#locations.variables.take([
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
    const createdSets = new Set(
      this.#subjects.flatMap(({ controllerView: { metadata, ...typed } }) =>
        kindKey(typed) === ocmKinds.managedClusterSet.key ? [metadata.name] : [],
      ),
    );
    const seen = new Set<string>();
    const shared = new Map<string, Statement>();
    for (const set of used) {
      if (seen.has(set) && !shared.has(set) && !builtInSets.has(set) && !createdSets.has(set)) {
        const variable = this.#locations.variables.take([set, `${set}-set`, `set-${set}`]);
        shared.set(set, { name: variable, value: setReference(set) });
      }
      seen.add(set);
    }
    return shared;
  }
}

/** The sets that every hub has. */
const builtInSets: ReadonlySet<string> = new Set(['global', 'default']);

function setReference(set: string): Expression {
  return builtInSets.has(set)
    ? member('ManagedClusterSet', set)
    : call('ManagedClusterSet', 'reference', literal(set));
}

function keyOf(group: string, kind: string, namespace: string | undefined, objectName = ''): string {
  return `${group}/${kind} ${namespace ?? ''}/${objectName}`;
}
