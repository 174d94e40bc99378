import { dnsSubdomainErrors } from '../names/name-errors.ts';
import { invalid, invalidEach, notSupported, required, type FieldFault } from './field-fault.ts';
import { selectorFaults } from './labels.ts';
import type { Struct } from './struct.ts';
import { pathSegmentErrors } from './values.ts';

const group = 'rbac.authorization.k8s.io';

/** As ValidateRole. */
export function roleFaults(object: Struct): readonly FieldFault[] {
  return object.structs('rules').flatMap((rule) => ruleFaults(rule, true));
}

/** As ValidateClusterRole. */
export function clusterRoleFaults(object: Struct): readonly FieldFault[] {
  const aggregation = object.struct('aggregationRule');
  const selectors = aggregation?.structs('clusterRoleSelectors') ?? [];
  return [
    ...object.structs('rules').flatMap((rule) => ruleFaults(rule, false)),
    ...(aggregation !== undefined && selectors.length === 0
      ? [
          required(
            aggregation.at('clusterRoleSelectors'),
            'at least one clusterRoleSelector required if aggregationRule is non-nil',
          ),
        ]
      : []),
    ...selectors.flatMap((selector) => {
      const faults = selectorFaults(selector);
      return faults.length === 0
        ? []
        : // it prints the selector that it could not make
          [...faults, invalid(selector.field, null, 'invalid label selector.')];
    }),
  ];
}

/** As ValidatePolicyRule. */
function ruleFaults(rule: Struct, isNamespaced: boolean): readonly FieldFault[] {
  const urls = rule.texts('nonResourceURLs');
  const verbFaults =
    rule.texts('verbs').length === 0
      ? [required(rule.at('verbs'), 'verbs must contain at least one value')]
      : [];
  if (urls.length > 0) {
    const others = ['apiGroups', 'resources', 'resourceNames'].some((name) => rule.texts(name).length > 0);
    const field = rule.at('nonResourceURLs');
    return [
      ...verbFaults,
      ...(isNamespaced ? [invalid(field, urls, 'namespaced rules cannot apply to non-resource URLs')] : []),
      ...(others
        ? [invalid(field, urls, 'rules cannot apply to both regular resources and non-resource URLs')]
        : []),
    ];
  }
  return [
    ...verbFaults,
    ...(rule.texts('apiGroups').length === 0
      ? [required(rule.at('apiGroups'), 'resource rules must supply at least one api group')]
      : []),
    ...(rule.texts('resources').length === 0
      ? [required(rule.at('resources'), 'resource rules must supply at least one resource')]
      : []),
  ];
}

/** As ValidateRoleBinding. */
export function roleBindingFaults(object: Struct): readonly FieldFault[] {
  return bindingFaults(object, ['Role', 'ClusterRole']);
}

/** As ValidateClusterRoleBinding. */
export function clusterRoleBindingFaults(object: Struct): readonly FieldFault[] {
  return bindingFaults(object, ['ClusterRole']);
}

function bindingFaults(object: Struct, kinds: readonly string[]): readonly FieldFault[] {
  const role = object.embedded('roleRef');
  const [kind, name] = [role.text('kind'), role.text('name')];
  const apiGroup = role.text('apiGroup');
  return [
    ...(apiGroup === '' || apiGroup === group ? [] : [notSupported(role.at('apiGroup'), apiGroup, [group])]),
    ...(kinds.includes(kind) ? [] : [notSupported(role.at('kind'), kind, kinds)]),
    ...(name === ''
      ? [required(role.at('name'))]
      : invalidEach(role.at('name'), name, pathSegmentErrors(name))),
    ...object.structs('subjects').flatMap((subject) => subjectFaults(subject, kinds.includes('Role'))),
  ];
}

/** As ValidateRoleBindingSubject. An absent group has a default. */
function subjectFaults(subject: Struct, isNamespaced: boolean): readonly FieldFault[] {
  const [name, apiGroup] = [subject.text('name'), subject.text('apiGroup')];
  const field = subject.at('apiGroup');
  const nameFaults = name === '' ? [required(subject.at('name'))] : [];
  switch (subject.text('kind')) {
    case 'ServiceAccount':
      return [
        ...nameFaults,
        ...(name === '' ? [] : invalidEach(subject.at('name'), name, dnsSubdomainErrors(name))),
        ...(apiGroup === '' ? [] : [notSupported(field, apiGroup, [''])]),
        ...(isNamespaced || subject.text('namespace') !== '' ? [] : [required(subject.at('namespace'))]),
      ];
    case 'User':
    case 'Group':
      return [
        ...nameFaults,
        ...(apiGroup === '' || apiGroup === group ? [] : [notSupported(field, apiGroup, [group])]),
      ];
    default:
      return [
        ...nameFaults,
        notSupported(subject.at('kind'), subject.text('kind'), ['ServiceAccount', 'User', 'Group']),
      ];
  }
}
