import { dnsLabelErrors, labelValueErrors } from '../names/name-errors.ts';
import {
  duplicate,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
  type FieldFault,
} from './field-fault.ts';
import { labelKeyFaults, selectorFaults } from './labels.ts';
import type { Struct } from './struct.ts';
import { unsupported } from './values.ts';

/** As ValidateTolerations, validateAffinity and validateTopologySpreadConstraints. */
export function schedulingFaults(pod: Struct): readonly FieldFault[] {
  const affinity = pod.struct('affinity');
  return [
    ...pod.structs('tolerations').flatMap(tolerationFaults),
    ...(affinity === undefined ? [] : affinityFaults(affinity)),
    ...spreadFaults(pod.structs('topologySpreadConstraints')),
  ];
}

/** As ValidateTolerations. The operators Lt and Gt depend on a feature gate. */
function tolerationFaults(toleration: Struct): readonly FieldFault[] {
  const [key, operator] = [toleration.text('key'), toleration.text('operator')];
  const [value, effect] = [toleration.text('value'), toleration.text('effect')];
  return [
    ...(key === '' ? [] : labelKeyFaults(key, toleration.at('key'))),
    ...(key === '' && operator !== 'Exists'
      ? [
          invalid(
            toleration.at('operator'),
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : []),
    ...(toleration.has('tolerationSeconds') && effect !== 'NoExecute'
      ? [
          invalid(
            toleration.at('effect'),
            effect,
            "effect must be 'NoExecute' when `tolerationSeconds` is set",
          ),
        ]
      : []),
    ...operatorFaults(toleration, operator, value),
    ...unsupported(toleration, 'effect', ['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  ];
}

function operatorFaults(toleration: Struct, operator: string, value: string): readonly FieldFault[] {
  const field = toleration.at('operator');
  switch (operator) {
    case '':
    case 'Equal': {
      const errors = labelValueErrors(value);
      return errors.length === 0 ? [] : [invalid(field, value, errors.join(';'))];
    }
    case 'Exists':
      return value === '' ? [] : [invalid(field, value, "value must be empty when `operator` is 'Exists'")];
    case 'Lt':
    case 'Gt':
      return [];
    default:
      return [notSupported(field, operator, ['Equal', 'Exists'])];
  }
}

const hard = 'requiredDuringSchedulingIgnoredDuringExecution';
const soft = 'preferredDuringSchedulingIgnoredDuringExecution';

function affinityFaults(affinity: Struct): readonly FieldFault[] {
  const node = affinity.struct('nodeAffinity');
  return [
    ...(node === undefined ? [] : nodeFaults(node)),
    ...['podAffinity', 'podAntiAffinity'].flatMap((name) => {
      const pods = affinity.embedded(name);
      return [
        ...pods.structs(hard).flatMap(podTermFaults),
        ...pods
          .structs(soft)
          .flatMap((term) => [...weightFaults(term), ...podTermFaults(term.embedded('podAffinityTerm'))]),
      ];
    }),
  ];
}

/** As validateNodeAffinity. */
function nodeFaults(node: Struct): readonly FieldFault[] {
  const selector = node.struct(hard);
  const terms = selector?.structs('nodeSelectorTerms') ?? [];
  return [
    ...(selector !== undefined && terms.length === 0
      ? [required(selector.at('nodeSelectorTerms'), 'must have at least one node selector term')]
      : []),
    ...terms.flatMap((term) => term.structs('matchExpressions').flatMap(nodeRequirementFaults)),
    ...node
      .structs(soft)
      .flatMap((term) => [
        ...weightFaults(term),
        ...term.embedded('preference').structs('matchExpressions').flatMap(nodeRequirementFaults),
      ]),
  ];
}

/** As ValidateNodeSelectorRequirement, without the values, of which older releases accept any. */
function nodeRequirementFaults(requirement: Struct): readonly FieldFault[] {
  const operator = requirement.text('operator');
  const count = requirement.texts('values').length;
  const values = requirement.at('values');
  const keyFaults = labelKeyFaults(requirement.text('key'), requirement.at('key'));
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0
        ? keyFaults
        : [...keyFaults, required(values, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? keyFaults
        : [
            ...keyFaults,
            forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
          ];
    case 'Gt':
    case 'Lt':
      return count === 1
        ? keyFaults
        : [...keyFaults, required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [...keyFaults, invalid(requirement.at('operator'), operator, 'not a valid selector operator')];
  }
}

function weightFaults(term: Struct): readonly FieldFault[] {
  const weight = term.integer('weight') ?? 0;
  return weight > 0 && weight <= 100
    ? []
    : [invalid(term.at('weight'), weight, 'must be in the range 1-100')];
}

/** As validatePodAffinityTerm, without the keys of matched labels. */
function podTermFaults(term: Struct): readonly FieldFault[] {
  const key = term.text('topologyKey');
  return [
    ...selectorFaults(term.struct('labelSelector')),
    ...selectorFaults(term.struct('namespaceSelector')),
    ...term
      .texts('namespaces')
      .flatMap((name) =>
        invalidEach(term.field.child('namespace', ['namespaces']), name, dnsLabelErrors(name)),
      ),
    ...(key === '' ? [required(term.at('topologyKey'), 'can not be empty')] : []),
    ...labelKeyFaults(key, term.at('topologyKey')),
  ];
}

const actions = ['DoNotSchedule', 'ScheduleAnyway'];

/** As validateTopologySpreadConstraints, without the labels. */
function spreadFaults(constraints: readonly Struct[]): readonly FieldFault[] {
  const keys = constraints.map(
    (constraint) => `{${constraint.text('topologyKey')}, ${constraint.text('whenUnsatisfiable')}}`,
  );
  return constraints.flatMap((constraint, index) => {
    const [skew, action] = [constraint.integer('maxSkew') ?? 0, constraint.text('whenUnsatisfiable')];
    const key = keys[index] ?? '';
    const domains = constraint.integer('minDomains');
    const both = constraint.field.child('{topologyKey, whenUnsatisfiable}', []);
    return [
      ...(skew > 0 ? [] : [invalid(constraint.at('maxSkew'), skew, 'must be greater than zero')]),
      ...(constraint.text('topologyKey') === ''
        ? [required(constraint.at('topologyKey'), 'can not be empty')]
        : []),
      ...(actions.includes(action)
        ? []
        : [notSupported(constraint.at('whenUnsatisfiable'), action, actions)]),
      ...(keys.includes(key, index + 1) ? [duplicate(both, key)] : []),
      ...(domains !== undefined && domains <= 0
        ? [invalid(constraint.at('minDomains'), domains, 'must be greater than zero')]
        : []),
    ];
  });
}
