import { describe, expect, test } from 'vitest';
import {
  ApiObject,
  Placement,
  PlacementBinding,
  Policy,
  PolicyDependency,
  PolicySet,
  PolicyTemplate,
  Selector,
  type Chart,
  type PolicyProps,
  type Workload,
} from '../../constructs/index.ts';
import { errorsOf, objectOf, objectsOf, specOf } from './in-chart.ts';

const namespaceOfTeam = (workload: Workload): void => {
  new ApiObject(workload, 'team', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
};
const template = PolicyTemplate.configuration('team', { mustHave: namespaceOfTeam });

function policy(chart: Chart, props: Partial<PolicyProps> = {}, id = 'team'): Policy {
  return new Policy(chart, id, { remediationAction: 'inform', templates: [template], ...props });
}

function messages(build: (chart: Chart) => void): string[] {
  return errorsOf(build).map(({ message }) => message);
}

describe('a Policy', () => {
  test('delivers ConfigurationPolicies', () => {
    expect(objectOf((chart) => policy(chart))).toStrictEqual({
      apiVersion: 'policy.open-cluster-management.io/v1',
      kind: 'Policy',
      metadata: { name: 'team', namespace: 'ocm' },
      spec: {
        disabled: false,
        remediationAction: 'inform',
        'policy-templates': [
          {
            objectDefinition: {
              apiVersion: 'policy.open-cluster-management.io/v1',
              kind: 'ConfigurationPolicy',
              metadata: { name: 'team' },
              spec: {
                'object-templates': [
                  {
                    complianceType: 'musthave',
                    objectDefinition: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
                  },
                ],
              },
            },
          },
        ],
      },
    });
  });

  test('writes all options of a ConfigurationPolicy', () => {
    const debug = { apiVersion: 'v1', kind: 'Pod' };
    const full = PolicyTemplate.configuration('no-debug', {
      remediationAction: 'enforce',
      severity: 'high',
      namespaces: { include: ['*'], exclude: ['kube-*'], labels: { team: 'a' } },
      pruneObjectBehavior: 'DeleteIfCreated',
      evaluationInterval: { compliant: '1h' },
      customMessage: { noncompliant: 'there is a debug pod' },
      mustOnlyHave: namespaceOfTeam,
      objectTemplates: [
        {
          complianceType: 'mustnothave',
          objectDefinition: debug,
          objectSelector: Selector.exists('debug'),
          recordDiff: 'None',
        },
      ],
      ignorePending: true,
      extraDependencies: [
        PolicyDependency.object({ apiVersion: 'v1', kind: 'ConfigurationPolicy', name: 'first' }),
      ],
    });
    expect(specOf((chart) => new Policy(chart, 'p', { templates: [full] }))).toStrictEqual({
      disabled: false,
      'policy-templates': [
        {
          objectDefinition: {
            apiVersion: 'policy.open-cluster-management.io/v1',
            kind: 'ConfigurationPolicy',
            metadata: { name: 'no-debug' },
            spec: {
              remediationAction: 'enforce',
              severity: 'high',
              namespaceSelector: { include: ['*'], exclude: ['kube-*'], matchLabels: { team: 'a' } },
              pruneObjectBehavior: 'DeleteIfCreated',
              evaluationInterval: { compliant: '1h' },
              customMessage: { noncompliant: 'there is a debug pod' },
              'object-templates': [
                {
                  complianceType: 'mustonlyhave',
                  objectDefinition: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
                },
                {
                  complianceType: 'mustnothave',
                  objectDefinition: debug,
                  recordDiff: 'None',
                  objectSelector: { matchExpressions: [{ key: 'debug', operator: 'Exists' }] },
                },
              ],
            },
          },
          extraDependencies: [
            { apiVersion: 'v1', kind: 'ConfigurationPolicy', name: 'first', compliance: 'Compliant' },
          ],
          ignorePending: true,
        },
      ],
    });
  });

  test('delivers objects of other policy engines, and waits for others', () => {
    const certificates = {
      apiVersion: 'policy.open-cluster-management.io/v1',
      kind: 'CertificatePolicy',
      metadata: { name: 'expiry' },
      spec: { minimumDuration: '300h' },
    };
    const spec = specOf((chart) => {
      const waiting = new Policy(chart, 'p', {
        copyPolicyMetadata: false,
        hubTemplateServiceAccount: 'reader',
        templates: [],
        dependencies: [PolicyDependency.policy(Policy.reference('ocm', 'first'))],
      });
      waiting.addTemplate(PolicyTemplate.object(certificates));
      waiting.addPolicyDependency(
        PolicyDependency.policySet(PolicySet.reference('other', 'set'), 'NonCompliant'),
      );
    });
    expect(spec).toStrictEqual({
      disabled: false,
      copyPolicyMetadata: false,
      hubTemplateOptions: { serviceAccountName: 'reader' },
      dependencies: [
        {
          apiVersion: 'policy.open-cluster-management.io/v1',
          kind: 'Policy',
          name: 'first',
          namespace: 'ocm',
          compliance: 'Compliant',
        },
        {
          apiVersion: 'policy.open-cluster-management.io/v1beta1',
          kind: 'PolicySet',
          name: 'set',
          namespace: 'other',
          compliance: 'NonCompliant',
        },
      ],
      'policy-templates': [{ objectDefinition: certificates }],
    });
  });

  test('has a name that fits into the copies of the clusters', () => {
    expect(messages((chart) => policy(chart, { name: 'n'.repeat(59) }))).toEqual([]);
    const name = 'n'.repeat(60);
    expect(messages((chart) => policy(chart, { name }))).toEqual([
      `the copies of Policy '${name}' would be named 'ocm.${name}', which has more than 63 characters: use a shorter name or namespace`,
    ]);
  });

  test('refuses what no cluster applies', () => {
    expect(messages((chart) => policy(chart, { templates: [] }))).toEqual([
      "Policy 'team' has no templates, and delivers nothing",
    ]);
    expect(messages((chart) => policy(chart, { templates: [template, template] }))).toEqual([
      "Policy 'team' has several templates named 'team', of which clusters apply none: names are unique across kinds",
    ]);
    expect(messages((chart) => new Policy(chart, 'team', { templates: [template] }))).toEqual([
      "neither the Policy nor ConfigurationPolicy 'team' has a remediationAction, which the hub rejects: set one",
    ]);
    const empty = PolicyTemplate.configuration('none', { namespaces: { exclude: ['kube-*'] } });
    expect(messages((chart) => policy(chart, { templates: [empty] }))).toEqual([
      "ConfigurationPolicy 'none': it has no objects, and checks nothing",
      "ConfigurationPolicy 'none': its namespaces have neither include nor labels, so that it selects none",
    ]);
    const both = PolicyTemplate.configuration('both', {
      mustHave: namespaceOfTeam,
      objectTemplatesRaw: '{{ range }}',
    });
    expect(messages((chart) => policy(chart, { templates: [both] }))).toEqual([
      "ConfigurationPolicy 'both': it has both objects and objectTemplatesRaw, of which the controller accepts only one",
    ]);
  });

  test('refuses dependencies that never end', () => {
    const itself = PolicyDependency.policy(Policy.reference('ocm', 'team'));
    const dependency = PolicyDependency.object({
      apiVersion: 'policy.open-cluster-management.io/v1',
      kind: 'ConfigurationPolicy',
      name: 'first',
      namespace: 'c1',
    });
    expect(messages((chart) => policy(chart, { dependencies: [itself, dependency] }))).toEqual([
      "Policy 'team' depends on itself, and would be Pending indefinitely",
      "the dependency on ConfigurationPolicy 'first' has a namespace, which the API server rejects: leave it out",
    ]);
  });
});

describe('a PolicySet', () => {
  test('lists policies, and excludes clusters from them', () => {
    const objects = objectsOf((chart) => {
      const set = new PolicySet(chart, 'set', { policies: [policy(chart)], description: 'of the team' });
      set.addPolicy(Policy.reference('ocm', 'other'));
      set.addExclusion({ policy: Policy.reference('ocm', 'other'), clusters: ['c1'], reason: 'maintenance' });
    });
    expect(objects[1]).toStrictEqual({
      apiVersion: 'policy.open-cluster-management.io/v1beta1',
      kind: 'PolicySet',
      metadata: { name: 'set', namespace: 'ocm' },
      spec: {
        description: 'of the team',
        policies: ['team', 'other'],
        exclusions: [{ policyName: 'other', clusterNames: ['c1'], reason: 'maintenance' }],
      },
    });
  });

  test('refuses policies of other namespaces, and exclusions that the hub rejects', () => {
    const [inside, outside] = [Policy.reference('ocm', 'a'), Policy.reference('other', 'b')];
    const exclusion = (excluded: typeof inside) => ({ policy: excluded, clusters: ['c1'] as const });
    const exclusions = [exclusion(inside), exclusion(inside), exclusion(Policy.reference('ocm', 'c'))];
    expect(
      messages((chart) => new PolicySet(chart, 'set', { policies: [inside, outside], exclusions })),
    ).toEqual([
      "Policy 'b' is in namespace 'other', but PolicySet 'set' lists policies of 'ocm'",
      "PolicySet 'set' has exclusions of Policy 'c', which it does not contain: the hub rejects that",
      "PolicySet 'set' has several exclusions of Policy 'a', which the hub rejects: name all clusters in one",
    ]);
  });
});

describe('a PlacementBinding', () => {
  const placement = Placement.reference('ocm', 'ring-2');

  test('binds policies and sets to a Placement, beside its metadata', () => {
    expect(
      objectOf((chart) => {
        const binding = new PlacementBinding(chart, 'enforced', {
          placement,
          subjects: [Policy.reference('ocm', 'a')],
          bindingOverrides: { remediationAction: 'enforce' },
          subFilter: 'restricted',
        });
        binding.addSubject(PolicySet.reference('ocm', 'set'));
      }),
    ).toStrictEqual({
      apiVersion: 'policy.open-cluster-management.io/v1',
      kind: 'PlacementBinding',
      metadata: { name: 'enforced', namespace: 'ocm' },
      placementRef: { apiGroup: 'cluster.open-cluster-management.io', kind: 'Placement', name: 'ring-2' },
      subjects: [
        { apiGroup: 'policy.open-cluster-management.io', kind: 'Policy', name: 'a' },
        { apiGroup: 'policy.open-cluster-management.io', kind: 'PolicySet', name: 'set' },
      ],
      bindingOverrides: { remediationAction: 'enforce' },
      subFilter: 'restricted',
    });
  });

  test('refuses what binds nothing', () => {
    const subFilter = 'restricted';
    expect(
      messages((chart) => new PlacementBinding(chart, 'none', { placement, subjects: [], subFilter })),
    ).toEqual([
      "PlacementBinding 'none' has no subjects, which the hub rejects",
      "PlacementBinding 'none' does nothing: it is restricted to overrides, and has none. Set bindingOverrides, or remove subFilter",
    ]);
    const subjects = [Policy.reference('other', 'a')];
    const elsewhere = Placement.reference('default', 'all');
    expect(
      messages((chart) => new PlacementBinding(chart, 'far', { placement: elsewhere, subjects })),
    ).toEqual([
      "Placement 'all' is in namespace 'default', but PlacementBinding 'far' looks for it in 'ocm'",
      "Policy 'a' is in namespace 'other', but PlacementBinding 'far' looks for it in 'ocm'",
    ]);
  });
});
