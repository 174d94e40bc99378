import type { ManagedClusterV1, ManagedClusterV1Taint } from '../../../schemas/types.gen.ts';
import { clusterSetLabel } from '../place/cluster-sets.ts';
import { Diagrams, type Path } from './diagram.ts';
import { inputId, syntaxOf, type Input, type InputQuestions, type Questions } from './input.ts';
import { textRegions } from './text-regions.ts';

/** A field of clusters, and one value for each class of values that no selector can tell apart. */
export interface FieldVariable {
  readonly input: Input;
  /** `undefined` is an absent field. Inputs without a text are present with any text. */
  readonly values: readonly (string | undefined)[];
  /** Whether the values are classes of all questions. If not, only of the literals. */
  readonly isPartitioned: boolean;
}

/** Whether a cluster has a taint of a class that no toleration can tell apart. Region 1 is a cluster that has it. */
export interface TaintVariable {
  readonly taint: ManagedClusterV1Taint;
}

export type Variable = FieldVariable | TaintVariable;

/** The name of an annotation and of a claim that no selector reads. */
const unnamed = 'fleetwright.dev/unnamed';

/** Without it, the hub adds a taint. */
const joined = {
  type: 'ManagedClusterConditionAvailable',
  status: 'True',
  reason: 'ManagedClusterAvailable',
  message: '',
  lastTransitionTime: '1970-01-01T00:00:00Z',
} as const;

/**
 * All clusters that may exist, as selectors see them: the finite number of classes that no question can tell apart, one variable for
 * each field.
 */
export class ClusterSpace {
  readonly variables: readonly Variable[];
  readonly diagrams: Diagrams;
  readonly #positions = new Map<string, number>();

  constructor(questions: Questions, taints: readonly ManagedClusterV1Taint[]) {
    const fields = Array.from(questions.byInput.values(), fieldVariable);
    this.variables = [...fields, ...taints.map((taint) => ({ taint }))];
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

  /** Returns a cluster of a class. Fields that are not on the path are as in a cluster without anything else. */
  clusterAt(path: Path, name = 'any-cluster'): ManagedClusterV1 {
    const labels: Record<string, string> = { [clusterSetLabel]: 'default' };
    const annotations: Record<string, string> = {};
    const claims: { name: string; value: string }[] = [];
    const taints: ManagedClusterV1Taint[] = [];
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
      },
    };
  }
}

function fieldVariable({ input, literals, patterns }: InputQuestions): FieldVariable {
  if (input.kind === 'other annotation' || input.kind === 'other claim')
    return { input, values: [undefined, 'x'], isPartitioned: true };
  const syntax = syntaxOf(input);
  const regions = textRegions({ literals, patterns: [...patterns.values()] }, syntax);
  const values = regions ?? textRegions({ literals, patterns: [] }, syntax) ?? [];
  const isPartitioned = regions !== undefined;
  if (input.kind === 'name') return { input, values, isPartitioned };
  if (input.kind === 'label' && input.key === clusterSetLabel) {
    // OCM's webhook sets the label of clusters without one; an empty label counts as missing
    const sets = values.filter((value) => value !== '');
    return { input, values: sets.includes('default') ? sets : ['default', ...sets], isPartitioned };
  }
  return { input, values: [undefined, ...values], isPartitioned };
}
