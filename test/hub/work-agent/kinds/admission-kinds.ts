import type { JsonMap } from '../../../../src/base/json/json-map.ts';
import type { Random } from '../../differential/random.ts';
import type { GeneratedKind } from './generated-kind.ts';

const admission = 'admissionregistration.k8s.io/v1';
const flowControl = 'flowcontrol.apiserver.k8s.io/v1';

/** Rules for objects that nothing creates, so that no other test notices the configuration. */
const nothing: JsonMap = {
  apiGroups: ['none.example.com'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['nothings'],
};

/** A match without the defaults of the API server, and with them. */
const matchedNothing: JsonMap = { resourceRules: [nothing] };
const storedMatch: JsonMap = {
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  resourceRules: [{ ...nothing, scope: '*' }],
};

const webhooks = (random: Random): JsonMap => ({
  webhooks: [
    {
      name: 'a.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: random.pick(['Ignore', 'Fail'] as const),
      clientConfig: { url: random.pick(['https://a.example.com', 'https://b.example.com'] as const) },
      rules: [nothing],
    },
  ],
});

/** Admission, and the flow of requests. */
export const admissionKinds: readonly GeneratedKind[] = [
  {
    apiVersion: admission,
    kind: 'ValidatingWebhookConfiguration',
    isClusterScoped: true,
    content: webhooks,
  },
  {
    apiVersion: admission,
    kind: 'MutatingWebhookConfiguration',
    isClusterScoped: true,
    content: webhooks,
  },
  {
    apiVersion: admission,
    kind: 'ValidatingAdmissionPolicy',
    isClusterScoped: true,
    content: (random) => ({
      spec: {
        matchConstraints: random.pick([matchedNothing, storedMatch] as const),
        validations: [{ expression: random.pick(['true', 'false'] as const) }],
      },
    }),
  },
  {
    apiVersion: admission,
    kind: 'ValidatingAdmissionPolicyBinding',
    isClusterScoped: true,
    content: (random) => ({
      spec: {
        policyName: random.pick(['a.example.com', 'b.example.com'] as const),
        validationActions: [random.pick(['Deny', 'Warn'] as const)],
      },
    }),
  },
  {
    apiVersion: flowControl,
    kind: 'FlowSchema',
    isClusterScoped: true,
    content: (random) => ({
      spec: {
        priorityLevelConfiguration: { name: 'global-default' },
        matchingPrecedence: random.pick([9000, 9001] as const),
      },
    }),
  },
  {
    apiVersion: flowControl,
    kind: 'PriorityLevelConfiguration',
    isClusterScoped: true,
    content: (random) => ({
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: random.pick([1, 2] as const),
          limitResponse: { type: 'Reject' },
        },
      },
    }),
  },
];
