import { describe, expect, test } from 'vitest';
import { plan } from '../../../src/compiler/plan/plan.ts';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import type { Resolution } from '../../../src/compiler/resolve.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { fleetOf } from '../../resolve-text.ts';
import { addOnText, parametersText, resolveParameters } from './parameters-text.ts';

const labels = {
  c1: { region: 'eu' },
  c2: { region: 'eu', env: 'prod' },
  c3: { region: 'us' },
  c4: {},
  c5: {},
  c6: {},
  c7: {},
};
const fleet = fleetOf(labels);

function resolved(spec: string, fleetText = fleet): Resolution {
  const { resolution, diagnostics } = resolveParameters(addOnText() + parametersText(spec), fleetText);
  if (resolution === undefined) throw new Error(JSON.stringify(diagnostics));
  return resolution;
}

/** The groups of the plan: effect, clusters, causes and values. */
function groupsOf(base: Resolution, head: Resolution): string[] {
  const { value } = plan([{ app: 'logs', base, head }], { hub: hubVersion('1.3'), by: [] });
  return value.addOns.flatMap(({ groups }) =>
    groups.map(({ effect, clusters, causes, values }) => {
      const changes = values
        .filter(({ parameter }) => parameter !== undefined)
        .map(
          ({ parameter, before, after }) =>
            `${parameter} ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
        );
      return `${effect} ${clusters.join(' ')}: ${causes.map(({ text }) => text).join('; ')} | ${changes.join('; ')}`;
    }),
  );
}

const declared = `parameters:
  LOG_LEVEL: { type: enum, values: [debug, info, warn], default: info }
  REPLICAS: { type: integer, default: 1 }
  REGION: { type: string, default: none }
`;

describe('a plan of an add-on with parameters', () => {
  test('names the layer and the parameter that change, and nothing else', () => {
    const before = resolved(declared);
    const after = resolved(`${declared}layers:
- where: { region: eu }
  values: { LOG_LEVEL: debug }
`);
    expect(groupsOf(before, after)).toEqual([
      'changed c1 c2: the layer region=eu sets LOG_LEVEL, previously its default | LOG_LEVEL "info" -> "debug"',
    ]);
    const { value } = plan([{ app: 'logs', base: before, head: after }], { hub: hubVersion('1.3'), by: [] });
    const text = planText(value, { paint: (_tone, part) => part, names: 10 });
    expect(text).toContain(
      'because the layer region=eu sets LOG_LEVEL, previously its default (app.yaml:36)',
    );
  });

  test('groups clusters with equal values by their layers', () => {
    const before = resolved(declared);
    const after = resolved(`${declared}layers:
- where: { region: eu }
  values: { LOG_LEVEL: debug }
- cluster: c3
  values: { LOG_LEVEL: debug }
`);
    expect(groupsOf(before, after)).toEqual([
      'changed c1 c2: the layer region=eu sets LOG_LEVEL, previously its default | LOG_LEVEL "info" -> "debug"',
      'changed c3: the layer cluster c3 sets LOG_LEVEL, previously its default | LOG_LEVEL "info" -> "debug"',
    ]);
  });

  test('names the layer that decides after a stronger one is gone, and a removed value', () => {
    const layers = `layers:
- values: { REPLICAS: 2 }
- where: { region: eu }
  values: { REPLICAS: 3, LOG_LEVEL: warn }
`;
    const after = `layers:
- values: { REPLICAS: 2 }
- cluster: c4
  values: { REGION: null }
`;
    expect(groupsOf(resolved(declared + layers), resolved(declared + after))).toEqual([
      'changed c1 c2: its default sets LOG_LEVEL, previously the layer region=eu; the layer of all clusters sets REPLICAS, previously the layer region=eu | LOG_LEVEL "warn" -> "info"; REPLICAS "3" -> "2"',
      'rerolled c4: the layer cluster c4 removes REGION, previously its default | REGION {"name":"REGION","value":"none"} -> undefined',
    ]);
  });

  test('names the layer of the key that changes, not a stronger layer of other keys', () => {
    const spec = (cpu: string, hosts: string): string => `parameters:
  LIMITS: { type: object, default: { cpu: 1 } }
  HOSTS: { type: list, items: { type: string }, default: [a] }
layers:
- where: { region: eu }
  values: { LIMITS: { ${cpu} }, HOSTS: { $append: [${hosts}] } }
- cluster: c1
  values: { LIMITS: { memory: 9 }, HOSTS: { $append: [z] } }
`;
    const causesOf = (before: string, after: string): string[] =>
      groupsOf(resolved(before), resolved(after)).map((group) => group.split(' | ')[0] ?? '');
    expect(causesOf(spec('cpu: 2', 'b'), spec('cpu: 3', 'b'))).toEqual([
      'rerolled c1: the layer region=eu sets LIMITS.cpu',
      'rerolled c2: the layer region=eu sets LIMITS.cpu',
    ]);
    expect(causesOf(spec('cpu: 2', 'b'), spec('cpu: 2', 'c'))).toEqual([
      'rerolled c1: the layer region=eu sets HOSTS',
      'rerolled c2: the layer region=eu sets HOSTS',
    ]);
    expect(causesOf(spec('cpu: 2, disk: 1', 'b'), spec('cpu: 2', 'b'))).toEqual([
      'rerolled c1: no layer sets LIMITS.disk, previously the layer region=eu',
      'rerolled c2: no layer sets LIMITS.disk, previously the layer region=eu',
    ]);
  });

  test('distinguishes a changed fact from an edited layer', () => {
    const spec = `${declared}layers:
- values: { REGION: { $fact: cluster.labels.region, $default: none } }
`;
    const moved = fleetOf({ ...labels, c3: { region: 'ap' } });
    expect(groupsOf(resolved(spec), resolved(spec, moved))).toEqual([
      'rerolled c3: the layer of all clusters sets REGION from a fact that changed | REGION "us" -> "ap"',
    ]);
  });

  test('reports no value when a written configuration becomes parameters with the same values', () => {
    const config = `---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: logs, namespace: default }
spec: { customizedVariables: [{ name: LOG_LEVEL, value: info }] }
`;
    const written = addOnText().replace(
      'name: all, namespace: default, rollout',
      'name: all, namespace: default, configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, name: logs, namespace: default }], rollout',
    );
    const { resolution: before } = resolveParameters(written + config, fleet);
    if (before === undefined) throw new Error('no base');
    const groups = groupsOf(before, resolved('parameters: { LOG_LEVEL: { type: string, default: info } }\n'));
    expect(groups.map((group) => group.replaceAll(/logs-[0-9a-f]{10}/g, 'logs-HASH'))).toEqual([
      'rerolled c1 c2 c3 c4 c5 c6 c7: placement default/all names default/logs-HASH, previously default/logs | ',
    ]);
  });
});
