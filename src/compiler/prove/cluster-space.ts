import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { ManagedClusterV1, ManagedClusterV1Taint } from '../../../schemas/types.gen.ts';
import { clusterSetLabel } from '../place/cluster-sets.ts';
import { Diagrams, type Path } from './diagram.ts';
import {
  inputId,
  isOther,
  isResource,
  syntaxOf,
  type Input,
  type InputQuestions,
  type MapKind,
  type Questions,
  type ResourceKind,
} from './input.ts';
import { quantityRegions } from './quantity-regions.ts';
import type { TaintClasses } from './taint-classes.ts';
import { textRegions } from './text-regions.ts';

/** A field of clusters, and one value for each class of values that no selector can distinguish. */
export interface FieldVariable {
  readonly input: Input;
  /** `undefined` is an absent field. Inputs without a text are present with any text. */
  readonly values: readonly (string | undefined)[];
  /** The values that some selector compares. */
  readonly compared: ReadonlySet<string>;
  /** Whether the values are classes of all questions. If not, only of the literals. */
  readonly isPartitioned: boolean;
  /** Returns the region of a value; undefined for a value that the field cannot have. */
  regionOf(value: string | undefined): number | undefined;
}

/** Whether a cluster has a taint of a class that no toleration can distinguish. Region 1 is a cluster that has it. */
export interface TaintVariable {
  readonly taint: ManagedClusterV1Taint;
}

export type Variable = FieldVariable | TaintVariable;

/** The name of an annotation and of a claim that no selector reads. */
export const unnamed = 'fleetwright.dev/unnamed';

/** Without it, the hub adds a taint. */
const joined = {
  type: 'ManagedClusterConditionAvailable',
  status: 'True',
  reason: 'ManagedClusterAvailable',
  message: '',
  lastTransitionTime: '1970-01-01T00:00:00Z',
} as const;

/**
 * All clusters that may exist, as selectors see them: the finite number of classes that no question can distinguish, one variable for
 * each field.
 */
export class ClusterSpace {
  readonly variables: readonly Variable[];
  readonly diagrams: Diagrams;
  readonly #positions = new Map<string, number>();

  readonly #taints: TaintClasses;

  constructor(questions: Questions, taints: TaintClasses) {
    const fields = Array.from(questions.byInput.values(), fieldVariable);
    this.#taints = taints;
    this.variables = [...fields, ...taints.taints.map((taint) => ({ taint }))];
    for (const [position, { input }] of fields.entries()) this.#positions.set(inputId(input), position);
    this.diagrams = new Diagrams(
      this.variables.map((variable) => ('values' in variable ? variable.values.length : 2)),
    );
  }

  /** Returns the number of an input's variable; undefined if no selector reads it. */
  variableOf(input: Input): number | undefined {
    return this.#positions.get(inputId(input));
  }

  /** Returns the variable of a field. */
  field(variable: number): FieldVariable {
    const field = this.variables[variable];
    if (field === undefined || !('values' in field)) throw new RangeError(`variable ${variable} is no field`);
    return field;
  }

  /** Returns the region of a variable that a cluster without anything else is in. */
  plainRegion(variable: number): number {
    const field = this.variables[variable];
    if (field === undefined || !('values' in field)) return 0;
    const { input, values } = field;
    if (input.kind === 'label' && input.key === clusterSetLabel)
      return Math.max(0, values.indexOf('default'));
    const absent = values.indexOf(undefined);
    return absent < 0 ? values.length - 1 : absent;
  }

  /**
   * Returns the class of a cluster, as it is on the hub: one region for each variable. Undefined if one of its fields has a value that
   * the API server would refuse.
   */
  regionsOf(cluster: ManagedClusterV1): Path | undefined {
    const path = new Map<number, number>();
    const claims = (cluster.status?.clusterClaims ?? []).map(({ name }) => name);
    if (new Set(claims).size < claims.length) return undefined;
    const marked = new Set((cluster.spec?.taints ?? []).map((taint) => this.#taints.classOf(taint)));
    const first = this.variables.length - this.#taints.taints.length;
    const read = this.#fieldsOf(cluster);
    for (const [position, variable] of this.variables.entries()) {
      const region =
        'taint' in variable ? Number(marked.has(position - first)) : variable.regionOf(read(variable.input));
      if (region === undefined) return undefined;
      path.set(position, region);
    }
    return path;
  }

  #fieldsOf({ metadata, status }: ManagedClusterV1): (input: Input) => string | undefined {
    const { name, labels = {}, annotations = {} } = metadata;
    const claims = new Map((status?.clusterClaims ?? []).map((claim) => [claim.name, claim.value]));
    const hasOther = (kind: MapKind, keys: Iterable<string | undefined>): string | undefined =>
      Array.from(keys).some((key = '') => !this.#positions.has(inputId({ kind, key }))) ? 'x' : undefined;
    return (input) => {
      switch (input.kind) {
        case 'label':
          return labels[input.key];
        case 'annotation':
          return annotations[input.key];
        case 'claim':
          return claims.get(input.key);
        case 'other annotation':
          return hasOther('annotation', Object.keys(annotations));
        case 'other claim':
          return hasOther('claim', claims.keys());
        case 'capacity':
        case 'allocatable': {
          const amount = status?.[input.kind]?.[input.key];
          return amount === undefined ? undefined : String(amount).trim();
        }
        case 'other capacity':
          return hasOther('capacity', Object.keys(status?.capacity ?? {}));
        case 'other allocatable':
          return hasOther('allocatable', Object.keys(status?.allocatable ?? {}));
        case 'version':
          // the hub leaves an empty version out
          return status?.version?.kubernetes === '' ? undefined : status?.version?.kubernetes;
        case 'name':
          break;
      }
      return name;
    };
  }

  /** Returns a cluster of a class. Fields that are not on the path are as in a cluster without anything else. */
  clusterAt(path: Path, name = 'any-cluster'): ManagedClusterV1 {
    const labels: Record<string, string> = { [clusterSetLabel]: 'default' };
    const annotations: Record<string, string> = {};
    const claims: { name: string; value: string }[] = [];
    const taints: ManagedClusterV1Taint[] = [];
    const resources: Record<ResourceKind, Record<string, string>> = { capacity: {}, allocatable: {} };
    let clusterName = name;
    let kubernetes: string | undefined;
    for (const [position, variable] of this.variables.entries()) {
      const region = path.get(position) ?? this.plainRegion(position);
      if ('taint' in variable) {
        if (region === 1) taints.push(variable.taint);
        continue;
      }
      const { input, values } = variable;
      const value = values[region];
      if (value === undefined) continue;
      switch (input.kind) {
        case 'label':
          labels[input.key] = value;
          break;
        case 'annotation':
          annotations[input.key] = value;
          break;
        case 'claim':
          claims.push({ name: input.key, value });
          break;
        case 'other annotation':
          annotations[unnamed] = value;
          break;
        case 'other claim':
          claims.push({ name: unnamed, value });
          break;
        case 'capacity':
        case 'allocatable':
          resources[input.kind][input.key] = value;
          break;
        case 'other capacity':
          resources.capacity[unnamed] = '1';
          break;
        case 'other allocatable':
          resources.allocatable[unnamed] = '1';
          break;
        case 'version':
          kubernetes = value;
          break;
        case 'name':
          clusterName = path.has(position) ? value : name;
          break;
      }
    }
    return {
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: {
        name: clusterName,
        labels,
        ...(Object.keys(annotations).length > 0 && { annotations }),
      },
      spec: { hubAcceptsClient: true, ...(taints.length > 0 && { taints }) },
      status: {
        conditions: [joined],
        version: kubernetes === undefined ? {} : { kubernetes },
        ...(claims.length > 0 && { clusterClaims: claims }),
        ...(Object.keys(resources.capacity).length > 0 && { capacity: resources.capacity }),
        ...(Object.keys(resources.allocatable).length > 0 && { allocatable: resources.allocatable }),
      },
    };
  }
}

function fieldVariable({ input, literals, patterns, quantities }: InputQuestions): FieldVariable {
  if (isOther(input))
    return variable(input, literals, [undefined, 'x'], true, (value) => (value === undefined ? 0 : 1));
  if (isResource(input)) {
    const { texts, regionOf } = quantityRegions(quantities);
    // equal quantities can be different texts
    const isPartitioned = literals.size === 0 && patterns.size === 0;
    return variable(input, quantities, [undefined, ...texts], isPartitioned, (value) => {
      const region = value === undefined ? -1 : regionOf(value);
      return region === undefined ? undefined : region + 1;
    });
  }
  const isSetLabel = input.kind === 'label' && input.key === clusterSetLabel;
  // OCM's webhook sets the label of clusters without one; an empty label counts as missing
  const asked = isSetLabel ? new Set([...literals, '']) : literals;
  const syntax = syntaxOf(input);
  const regions = textRegions({ literals: asked, patterns: [...patterns.values()] }, syntax);
  const usable = regions ?? textRegions({ literals: asked, patterns: [] }, syntax);
  const texts = usable?.texts ?? [];
  const isPartitioned = regions !== undefined;
  if (input.kind === 'name')
    return variable(input, literals, texts, isPartitioned, (value) => usable?.regionOf(value ?? ''));
  if (isSetLabel) {
    const sets = texts.filter((value) => value !== '');
    const positionOf = (text: string | undefined): number | undefined => {
      const region = usable?.regionOf(text === undefined || text === '' ? 'default' : text);
      return region === undefined ? undefined : sets.indexOf(texts[region] ?? '');
    };
    return variable(input, literals, sets, isPartitioned, positionOf);
  }
  return variable(input, literals, [undefined, ...texts], isPartitioned, (value) => {
    const region = value === undefined ? -1 : usable?.regionOf(value);
    return region === undefined ? undefined : region + 1;
  });
}

function variable(
  input: Input,
  compared: ReadonlySet<string>,
  values: FieldVariable['values'],
  isPartitioned: boolean,
  regionOf: FieldVariable['regionOf'],
): FieldVariable {
  // clusters share most of their values
  const regions = new Map<string | undefined, number | undefined>();
  return {
    input,
    values,
    compared,
    isPartitioned,
    regionOf: (value) => getOrInsertComputed(regions, value, () => regionOf(value)),
  };
}
