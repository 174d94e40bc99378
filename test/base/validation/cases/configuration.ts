import { namespaced, type Table } from './table.ts';

const namespace: Table = {
  object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'case-namespace' } },
  accepted: {},
  refused: {
    'a name with a dot': [
      { 'metadata.name': 'a.b' },
      'metadata.name: Invalid value: "a.b": must not contain dots',
    ],
    'a name of 64 letters': [
      { 'metadata.name': 'a'.repeat(64) },
      'metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
      'metadata.labels: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 bytes',
    ],
  },
};

const serviceAccount: Table = {
  object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: namespaced('case-service-account') },
  accepted: { 'a name with a dot': { 'metadata.name': 'case.account' } },
  refused: {
    'a name with an underscore': [
      { 'metadata.name': 'a_b' },
      "metadata.name: Invalid value: \"a_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  },
};

const configMap: Table = {
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: namespaced('case-config-map'), data: { a: 'b' } },
  accepted: {
    'keys of all letters': { data: { 'A.b-C_1': '', '.hidden': '' } },
    bytes: { binaryData: { b: 'AAEC' } },
  },
  refused: {
    'a key with a slash': [
      { data: { 'a/b': 'c' } },
      "data[a/b]: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    ],
    'a key of two dots': [
      { data: { '..a': 'c' } },
      'data[..a]: Invalid value: "..a": must not start with \'..\'',
    ],
    'a key in both': [
      { binaryData: { a: 'AAEC' } },
      'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    ],
    'more than a megabyte': [
      { 'data.a': 'x'.repeat(1024 * 1024 + 1) },
      '[]: Too long: may not be more than 1048576 bytes',
    ],
  },
};

const secret: Table = {
  object: { apiVersion: 'v1', kind: 'Secret', metadata: namespaced('case-secret'), stringData: { a: 'b' } },
  accepted: {
    'a certificate': { type: 'kubernetes.io/tls', stringData: { 'tls.crt': '', 'tls.key': '' } },
    'credentials of a registry': {
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': 'e30=' },
    },
    'a user without a password': { type: 'kubernetes.io/basic-auth', stringData: { username: 'a' } },
    'a type of its own': { type: 'example.com/a' },
  },
  refused: {
    'a key with a blank': [
      { stringData: { 'a b': 'c' } },
      "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    ],
    'a certificate without a key': [
      { type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'a' } },
      'data[tls.key]: Required value',
    ],
    'a registry without credentials': [
      { type: 'kubernetes.io/dockerconfigjson' },
      'data[.dockerconfigjson]: Required value',
    ],
    'credentials that are not JSON': [
      { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'a' } },
      'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character \'a\' looking for beginning of value',
    ],
    'neither user nor password': [
      { type: 'kubernetes.io/basic-auth' },
      'data[username]: Required value',
      'data[password]: Required value',
    ],
    'no private key': [{ type: 'kubernetes.io/ssh-auth' }, 'data[ssh-privatekey]: Required value'],
    'a token of nobody': [
      { type: 'kubernetes.io/service-account-token' },
      'metadata.annotations[kubernetes.io/service-account.name]: Required value',
    ],
  },
};

const resourceQuota: Table = {
  object: {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: namespaced('case-resource-quota'),
    spec: { hard: { 'requests.cpu': '1', pods: 10 } },
  },
  accepted: {},
  refused: {
    'a negative quota': [
      { 'spec.hard': { 'requests.cpu': '-1' } },
      'spec.hard[requests.cpu]: Invalid value: "-1": must be greater than or equal to 0',
    ],
  },
};

const limitRange: Table = {
  object: {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: namespaced('case-limit-range'),
    spec: { limits: [{ type: 'Container', default: { cpu: 1 }, defaultRequest: { cpu: '500m' } }] },
  },
  accepted: { 'a minimum of pods': { 'spec.limits': [{ type: 'Pod', min: { cpu: 1 }, max: { cpu: 2 } }] } },
  refused: {
    'an unknown type': [
      { 'spec.limits.0.type': 'Node' },
      'spec.limits[0].type: Invalid value: "Node": must be a standard limit type or fully qualified',
    ],
    'a type twice': [
      { 'spec.limits': [{ type: 'Pod' }, { type: 'Pod' }] },
      'spec.limits[1].type: Duplicate value: "Pod"',
    ],
    'a minimum above the maximum': [
      { 'spec.limits': [{ type: 'Container', min: { cpu: 2 }, max: { cpu: 1 } }] },
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
      'spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1',
    ],
    'a request above its limit': [
      { 'spec.limits.0.defaultRequest.cpu': 2 },
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1',
    ],
    'a default above the maximum': [
      { 'spec.limits.0.max': { cpu: '600m' } },
      'spec.limits[0].default[cpu]: Invalid value: "600m": default value 1 is greater than max value 600m',
    ],
    'claims without a limit': [
      { 'spec.limits': [{ type: 'PersistentVolumeClaim' }] },
      'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
    ],
    'a default of pods': [
      { 'spec.limits': [{ type: 'Pod', default: { cpu: 1 } }] },
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
    ],
  },
};

const role: Table = {
  object: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: namespaced('case:role'),
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  },
  accepted: { 'no rules': { rules: [] } },
  refused: {
    'a rule without verbs': [
      { 'rules.0.verbs': [] },
      'rules[0].verbs: Required value: verbs must contain at least one value',
    ],
    'a rule without groups': [
      { 'rules.0.apiGroups': undefined },
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
    ],
    'a rule without resources': [
      { 'rules.0.resources': undefined },
      'rules[0].resources: Required value: resource rules must supply at least one resource',
    ],
    'a rule for URLs': [
      { rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] },
      'rules[0].nonResourceURLs: Invalid value: ["/metrics"]: namespaced rules cannot apply to non-resource URLs',
    ],
  },
};

const clusterRole: Table = {
  object: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'case:cluster-role' },
    rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  },
  accepted: {
    'an aggregation': { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } },
  },
  refused: {
    'a rule without verbs': [
      { 'rules.0.verbs': undefined },
      'rules[0].verbs: Required value: verbs must contain at least one value',
    ],
    'a rule for URLs and resources': [
      { 'rules.0.resources': ['pods'] },
      'rules[0].nonResourceURLs: Invalid value: ["/metrics"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
    'an aggregation of nothing': [
      { aggregationRule: {} },
      'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    ],
    'an aggregation with an unknown operator': [
      { aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Is' }] }] } },
      'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
      'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
    ],
  },
};

const roleBinding: Table = {
  object: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: namespaced('case:role-binding'),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'case' }],
  },
  accepted: {
    'no groups': { 'roleRef.apiGroup': undefined, subjects: [{ kind: 'User', name: 'a' }] },
    'no subjects': { subjects: undefined },
  },
  refused: {
    'an unknown kind of role': [
      { 'roleRef.kind': 'Roles' },
      'roleRef.kind: Unsupported value: "Roles": supported values: "Role", "ClusterRole"',
    ],
    'a role without a name': [{ 'roleRef.name': undefined }, 'roleRef.name: Required value'],
    'a role of another group': [
      { 'roleRef.apiGroup': 'rbac.k8s.io' },
      'roleRef.apiGroup: Unsupported value: "rbac.k8s.io": supported values: "rbac.authorization.k8s.io"',
    ],
    'a subject without a name': [{ 'subjects.0.name': undefined }, 'subjects[0].name: Required value'],
    'a subject of an unknown kind': [
      { 'subjects.0.kind': 'Account' },
      'subjects[0].kind: Unsupported value: "Account": supported values: "ServiceAccount", "User", "Group"',
    ],
    'a user of another group': [
      { subjects: [{ kind: 'User', name: 'a', apiGroup: 'v1' }] },
      'subjects[0].apiGroup: Unsupported value: "v1": supported values: "rbac.authorization.k8s.io"',
    ],
    'an account with a group': [
      { 'subjects.0.apiGroup': 'rbac.authorization.k8s.io' },
      'subjects[0].apiGroup: Unsupported value: "rbac.authorization.k8s.io": supported values: ""',
    ],
  },
};

const clusterRoleBinding: Table = {
  object: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'case:cluster-role-binding' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'case', namespace: 'default' }],
  },
  accepted: {},
  refused: {
    'a role of a namespace': [
      { 'roleRef.kind': 'Role' },
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    ],
    'an account without a namespace': [
      { 'subjects.0.namespace': undefined },
      'subjects[0].namespace: Required value',
    ],
  },
};

export const configurationTables: readonly Table[] = [
  namespace,
  serviceAccount,
  configMap,
  secret,
  resourceQuota,
  limitRange,
  role,
  clusterRole,
  roleBinding,
  clusterRoleBinding,
];
