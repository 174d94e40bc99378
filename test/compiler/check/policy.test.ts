import { describe, expect, test } from 'vitest';
import { checkPolicies, compilePolicy, type Policy } from '../../../src/compiler/check/policy.ts';
import type { Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import { app, clusters } from '../plan/states.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';

const { resolution } = resolveText(app, { fleet: fleetOf(clusters) });

function policy(expression: string, severity: Policy['severity'] = 'error'): Policy {
  const compiled = compilePolicy(expression);
  if (!('program' in compiled)) throw new Error(compiled.message);
  const location = { file: 'fleetwright.yaml', line: 3, column: 17 };
  return { name: 'p', message: 'so it has to be', severity, location, program: compiled.program };
}

function found(expression: string, severity?: Policy['severity']): readonly Diagnostic[] {
  return checkPolicies(resolution, [policy(expression, severity)]);
}

describe('policies that do not compile', () => {
  test.each([
    ['cluster.label.env == "prod"', "undeclared reference to 'cluster.label.env'", 0],
    ['cluster.name == 1', "found no matching overload for '_==_' applied to '(string, int)'", 13],
    ['cluster.name ==', 'Syntax error: mismatched input', 15],
    ['cluster.name', 'it returns a string, but must return true or false', 0],
    ['cluster.name.find("(") == ""', 'error parsing regexp: missing closing )', 0],
  ])('%s', (expression, message, offset) => {
    expect(compilePolicy(expression)).toMatchObject({
      message: expect.stringContaining(message) as string,
      offset,
    });
  });

  test('with an unknown name list the existing names', () => {
    expect(compilePolicy('addon.name == ""')).toMatchObject({
      hint: expect.stringMatching(/^the variables are cluster\.name, .*, addOn\.manifests$/) as string,
    });
  });
});

describe('policies', () => {
  test('that are satisfied are not reported', () => {
    expect(found("cluster.labels.env in ['prod', 'stage']")).toEqual([]);
    expect(checkPolicies(resolution, [])).toEqual([]);
  });

  test('that clusters break are reported once per add-on, with the clusters: FW7301', () => {
    expect(found("cluster.labels.env == 'prod' ? addOn.config.registries.size() > 0 : true")).toEqual([
      {
        code: 'FW7301',
        severity: 'error',
        message: 'so it has to be: the policy "p" is violated for "hello" on 3 of 5 clusters: c1, c2, c3',
        policy: 'p',
        object: {
          apiVersion: 'addon.open-cluster-management.io/v1beta1',
          kind: 'ClusterManagementAddOn',
          name: 'hello',
        },
        location: { file: 'fleetwright.yaml', line: 3, column: 17 },
        hint: '`fleetwright explain c1 hello` explains where the settings of the add-on come from',
        related: [{ message: 'the first of them', location: { file: 'fleet.yaml', line: 13, column: 13 } }],
      },
    ]);
  });

  test('may be warnings: FW7302', () => {
    expect(found('cluster.available && addOn.name != "hello"', 'warning')).toMatchObject([
      { code: 'FW7302', severity: 'warning' },
    ]);
  });

  test('that fail on a cluster have no answer there: FW7303', () => {
    expect(found("cluster.labels.zone == 'a'")).toMatchObject([
      {
        code: 'FW7303',
        message:
          'the policy "p" cannot be evaluated for "hello" on 5 of 5 clusters, including c1: no such key: zone',
      },
    ]);
  });

  test('may not cost too much', () => {
    const costly = 'range(1000).all(a, range(1000).all(b, range(1000).all(c, a + b + c >= 0)))'.replaceAll(
      'range(1000)',
      `[${Array(150).fill('1').join()}]`,
    );
    expect(found(costly)[0]?.message).toMatch(/: its cost exceeds the limit of 1000000$/);
  });

  test.each([
    "cluster.sets == ['default', 'global'] || cluster.sets == ['global', 'default']",
    "cluster.claims.size() == 0 && cluster.annotations.size() == 0 && cluster.kubernetesVersion == ''",
    "cluster.taints.all(taint, taint.effect != 'NoSelect')",
    "addOn.placements.exists(placement, placement == 'default/stage')",
    "addOn.template == 't1'",
    "addOn.variables.LEVEL == (cluster.labels.env == 'prod' ? 'warn' : 'info')",
    "addOn.configs.exists(config, config.resource == 'addondeploymentconfigs' && config.level == (cluster.labels.env == 'prod' ? 'placement' : 'default'))",
    "addOn.manifests.exists(manifest, manifest.kind == 'ConfigMap' && manifest.data.level == addOn.variables.LEVEL)",
    "addOn.config.agentInstallNamespace == '' && addOn.config.proxyConfig.size() == 0 && addOn.config.nodePlacement.size() == 0",
    'addOn.config.customizedVariables.size() == 1 && addOn.config.resourceRequirements.size() == 0',
  ])('can be queried: %s', (expression) => {
    expect(found(expression)).toEqual([]);
    // It is an answer, not a lack of one: the contrary is broken everywhere.
    expect(found(`!(${expression})`)).toMatchObject([
      { message: expect.stringContaining('on 5 of 5 clusters') as string },
    ]);
  });
});

describe('policies about what Placements bring to a cluster', () => {
  const group = 'policy.open-cluster-management.io';
  const placed = `${app}---
apiVersion: ${group}/v1
kind: Policy
metadata: { name: etcd, namespace: default }
spec: { remediationAction: Enforce }
---
apiVersion: ${group}/v1
kind: PlacementBinding
metadata: { name: etcd, namespace: default }
placementRef: { apiGroup: cluster.open-cluster-management.io, kind: Placement, name: prod }
subjects: [{ apiGroup: ${group}, kind: Policy, name: etcd }]
---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: shop, namespace: default }
spec:
  generators: [{ list: { elements: [{ cluster: c1 }, { cluster: c4 }] } }]
  template:
    metadata: { name: 'shop-{{cluster}}' }
    spec: { project: default, destination: { name: '{{cluster}}' } }
`;
  const { resolution: state } = resolveText(placed, { fleet: fleetOf(clusters) });
  const violations = (expression: string): readonly string[] =>
    checkPolicies(state, [policy(expression)]).map(({ message }) => message.replace(/.* on /, ''));

  test('see the policies with their remediationAction, and the Applications', () => {
    const enforced = "p.namespace == 'default' && p.name == 'etcd' && p.remediationAction == 'enforce'";
    expect(violations(`cluster.policies.exists(p, ${enforced})`)).toEqual(['2 of 5 clusters: c4, c5']);
    const kept = "a.namespace == 'default' && a.applicationSet == 'shop' && a.deletesResources";
    expect(
      violations(`!cluster.applications.exists(a, ${kept} && a.name == 'shop-' + cluster.name)`),
    ).toEqual(['2 of 5 clusters: c1, c4']);
  });
});
