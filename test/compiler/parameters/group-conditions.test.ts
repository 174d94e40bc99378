import { expect, test } from 'vitest';
import type { PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import { fleetOf } from '../../resolve-text.ts';
import {
  addOnText,
  findingLines,
  parametersText,
  resolveParameters,
  variablesOf,
} from './parameters-text.ts';

const addOn = addOnText({ annotations: { 'fleetwright.dev/override': 'placement' } });

type Labels = Readonly<Record<string, string>>;

/** What selects the clusters of each Placement that is emitted for a group, by its title, in the order of the install strategy. */
function groupsOf(layers: string, clusters: Readonly<Record<string, Labels>>): Record<string, unknown> {
  const text = `parameters:
  LOG_LEVEL: { type: string, default: info }
  REPLICAS: { type: integer, default: 1 }
layers:
${layers}`;
  const { resolution, diagnostics } = resolveParameters(addOn + parametersText(text), fleetOf(clusters));
  expect(findingLines(diagnostics)).toEqual([]);
  if (resolution === undefined) throw new Error('not resolved');
  const { placements, clusterManagementAddOns } = resolution.inventory;
  // The hub assigns the values that the layers assign.
  const values = resolution.parameters.get('logs')?.clusters;
  for (const [cluster, variables] of Object.entries(variablesOf(resolution)))
    expect([cluster, variables]).toEqual([
      cluster,
      Object.fromEntries(Object.entries(values?.get(cluster)?.values ?? {}).map(([k, v]) => [k, String(v)])),
    ]);
  const strategies = clusterManagementAddOns.get('logs')?.object.spec.installStrategy?.placements ?? [];
  return Object.fromEntries(
    strategies.flatMap(({ name }) => {
      const placement = placements.get(`default/${name}`)?.object;
      const group = placement?.metadata.annotations?.['fleetwright.dev/parameters-of'];
      return group === undefined || placement === undefined
        ? []
        : [[group.replace('/logs', ''), selectorsOf(placement)]];
    }),
  );
}

function selectorsOf({ spec }: PlacementV1beta1): string {
  return (spec.predicates ?? [])
    .map(({ requiredClusterSelector: { labelSelector, celSelector } = {} }) =>
      [
        ...(labelSelector?.matchExpressions ?? []).map(({ key, operator, values = [] }) =>
          `${key} ${operator} ${values.join(',')}`.trim(),
        ),
        ...(celSelector?.celExpressions ?? []),
      ].join(' and '),
    )
    .join(' or ');
}

const eu = '- where: { region: eu }\n  values: { LOG_LEVEL: debug }\n';
const prod = '- where: { env: prod }\n  values: { REPLICAS: 3 }\n';

test('a group has the condition of its layer', () => {
  expect(groupsOf(eu, { c1: { region: 'eu' }, c2: {}, c3: {} })).toEqual({ 'region-eu': 'region In eu' });
});

test('clusters with several layers have all of their conditions, in a stronger placement', () => {
  const clusters = {
    c1: {},
    c2: {},
    c3: { region: 'eu', env: 'prod' },
    c4: { region: 'eu' },
    c5: { env: 'prod' },
    c6: { region: 'eu', env: 'prod' },
    c7: {},
  };
  const groups = groupsOf(eu + prod, clusters);
  expect(groups).toEqual({
    'region-eu': 'region In eu',
    'env-prod': 'env In prod',
    'region-eu-env-prod': 'region In eu and env In prod',
  });
  expect(Object.keys(groups).at(-1)).toBe('region-eu-env-prod');
});

test('where most clusters match a condition, the others have its opposite', () => {
  const clusters = {
    c1: { env: 'prod' },
    c2: { env: 'prod' },
    c3: {},
    c4: { env: 'dev' },
    c5: { env: 'prod' },
  };
  expect(groupsOf(prod, clusters)).toEqual({ default: 'env NotIn prod' });
});

test('the name of the cluster is used only where no condition selects a group', () => {
  const clusters = {
    c1: {},
    c2: {},
    c3: {},
    c4: { region: 'eu' },
    c5: { region: 'eu' },
    c6: { region: 'eu' },
    c7: {},
  };
  const one = '- cluster: c6\n  values: { REPLICAS: 5 }\n';
  expect(groupsOf(eu + one, clusters)).toEqual({
    'region-eu': 'region In eu',
    c6: 'managedCluster.metadata.name == "c6"',
  });
  // A condition with two requirements has no opposite that one selector can express.
  const both = '- where: { region: eu, env: prod }\n  values: { REPLICAS: 3 }\n';
  const inBoth = { region: 'eu', env: 'prod' };
  expect(groupsOf(both, { c1: inBoth, c2: inBoth, c3: { env: 'prod' } })).toEqual({
    c3: 'managedCluster.metadata.name == "c3"',
  });
});
