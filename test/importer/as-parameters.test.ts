import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asParameters } from '../../src/importer/as-parameters.ts';
import { hasErrors } from '../../src/compiler/model/diagnostic.ts';
import type { LoadedObject } from '../../src/compiler/model/inventory.ts';
import { load } from '../../src/compiler/load/load.ts';
import { resolve } from '../../src/compiler/resolve.ts';
import { goJson } from '../../src/base/json/go-json.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { fleetOf } from '../resolve-text.ts';

const api = 'addon.open-cluster-management.io';
const labels = { c1: { env: 'prod' }, c2: { env: 'prod', region: 'eu' }, c3: { region: 'eu' }, c4: {} };
const fleet = load([{ file: 'fleet.yaml', text: fleetOf(labels), source: 'fleet' }]).value;

/** The references to configurations of each level of `logs`. */
interface Levels {
  readonly standard?: string;
  readonly placements: readonly (string | undefined)[];
  readonly clusters: Readonly<Record<string, string | undefined>>;
}

const reference = (name: string): string =>
  `{ group: ${api}, resource: addondeploymentconfigs, name: ${name}, namespace: default }`;

const selectors = ['{}', '{ env: prod }', '{ region: eu }'];

function appOf(levels: Levels, configs: Readonly<Record<string, object>>): string {
  const { standard, placements, clusters } = levels;
  const strategies = placements.map(
    (config, index) =>
      `    - { name: p${index}, namespace: default, configs: [${config === undefined ? '' : reference(config)}] }\n`,
  );
  return [
    `apiVersion: ${api}/v1beta1
kind: ClusterManagementAddOn
metadata: { name: logs }
spec:
  defaultConfigs: [${standard === undefined ? '' : reference(standard)}]
  installStrategy:
    type: Placements
    placements:
${strategies.join('')}`,
    ...placements.map(
      (_, index) => `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: p${index}, namespace: default }
spec: { predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: ${selectors[index]} } } }] }
`,
    ),
    ...Object.entries(configs).map(
      ([name, spec]) => `apiVersion: ${api}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${name}, namespace: default }
spec: ${JSON.stringify(spec)}
`,
    ),
    ...Object.entries(clusters).map(
      ([cluster, config]) => `apiVersion: ${api}/v1beta1
kind: ManagedClusterAddOn
metadata: { name: logs, namespace: ${cluster} }
spec: { configs: [${config === undefined ? '' : reference(config)}] }
`,
    ),
  ].join('---\n');
}

function loaded(text: string): readonly LoadedObject[] {
  const { value, diagnostics } = load([{ file: 'app.yaml', text, source: 'app' }]);
  expect(diagnostics).toEqual([]);
  return value;
}

/** The content of the configuration of each cluster. */
function contents(objects: readonly LoadedObject[]): Record<string, unknown> {
  const { value, diagnostics } = resolve([...objects, ...fleet], {
    now: Date.parse('2026-06-01T00:00:00Z'),
    hub: hubVersion('1.3'),
  });
  if (value === undefined || hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics));
  const clusters = value.configuration.get('logs')?.clusters ?? new Map<string, never>();
  return Object.fromEntries(
    Array.from(clusters, ([cluster, { effective }]) => {
      const used = effective.references.find(({ resource }) => resource === 'addondeploymentconfigs');
      const config = value.inventory.addOnDeploymentConfigs.get(`${used?.namespace}/${used?.name}`);
      const { customizedVariables = [], ...fields } = config?.object.spec ?? {};
      const variables = Object.fromEntries(customizedVariables.map((each) => [each.name, each.value ?? '']));
      const { agentInstallNamespace: _default, ...others } = fields as Record<string, unknown>;
      // The hub treats an empty field as a missing one.
      const set = Object.entries(others).filter(([, each]) => Object.keys(each as object).length > 0);
      return [cluster, { variables, ...Object.fromEntries(set) }];
    }),
  );
}

function converted(text: string): readonly LoadedObject[] {
  const { objects, parameters, diagnostics } = asParameters(loaded(text));
  expect(diagnostics).toEqual([]);
  const texts = parameters.map((object) => goJson(object)).join('\n---\n');
  return [...objects, ...(texts === '' ? [] : loaded(texts))];
}

const base = { customizedVariables: [variable('LEVEL', 'info'), variable('PORT', '80')] };

function variable(name: string, value: string): { readonly name: string; readonly value: string } {
  return { name, value };
}

describe('configurations as parameters', () => {
  test('set the common part for all clusters, and differences for placements and clusters', () => {
    const text = appOf(
      { standard: 'base', placements: [undefined, 'prod'], clusters: { c4: 'own' } },
      {
        base,
        prod: { customizedVariables: [variable('LEVEL', 'warn'), variable('PORT', '80')] },
        own: { customizedVariables: [variable('PORT', '8080')], nodePlacement: { nodeSelector: { a: 'b' } } },
      },
    );
    const { objects, parameters } = asParameters(loaded(text));
    expect(parameters).toEqual([
      {
        apiVersion: 'fleetwright.dev/v1alpha1',
        kind: 'AddOnParameters',
        metadata: { name: 'logs', namespace: 'default' },
        spec: {
          parameters: {
            LEVEL: { type: 'string' },
            PORT: { type: 'integer' },
            nodePlacement: { type: 'object', field: 'nodePlacement' },
          },
          layers: [
            { values: { LEVEL: 'info', PORT: 80 } },
            { placement: 'default/p1', values: { LEVEL: 'warn' } },
            {
              cluster: 'c4',
              values: { LEVEL: null, PORT: 8080, nodePlacement: { $replace: { nodeSelector: { a: 'b' } } } },
            },
          ],
        },
      },
    ]);
    expect(objects.map(({ object }) => object.kind)).not.toContain('AddOnDeploymentConfig');
    expect(contents(converted(text))).toEqual(contents(loaded(text)));
  });

  test('give every cluster the same values as before', () => {
    const value = fc.constantFrom('', '1', '01', 'true', 'x', '-3');
    const config = fc.record({
      customizedVariables: fc
        .dictionary(fc.constantFrom('A', 'B', 'C'), value, { maxKeys: 3 })
        .map((variables) => Object.entries(variables).map(([name, each]) => variable(name, each))),
      nodePlacement: fc.constantFrom({}, { nodeSelector: { a: 'b' } }, { nodeSelector: { c: 'd' } }),
      registries: fc.constantFrom([], [{ source: 'a', mirror: 'b' }]),
    });
    const name = fc.constantFrom('one', 'two', 'three');
    const optional = fc.option(name, { nil: undefined });
    const levels = fc.record(
      {
        standard: name,
        placements: fc.array(optional, { minLength: 1, maxLength: 3 }),
        clusters: fc.dictionary(fc.constantFrom('c1', 'c2', 'c4'), optional, { maxKeys: 2 }),
      },
      { requiredKeys: ['placements', 'clusters'] },
    );
    fc.assert(
      fc.property(levels, config, config, config, (given, one, two, three) => {
        const text = appOf(given, { one, two, three });
        expect(contents(converted(text))).toEqual(contents(loaded(text)));
      }),
      { numRuns: 60 },
    );
  });

  test('stay objects if another add-on or nothing uses them', () => {
    const text = appOf(
      { standard: 'base', placements: [undefined], clusters: {} },
      { base, unused: base },
    ).replace('metadata: { name: logs }', 'metadata: { name: other }');
    const missing = appOf({ standard: 'base', placements: ['missing'], clusters: {} }, {});
    const { objects, parameters, diagnostics } = asParameters([
      ...loaded(text),
      ...loaded(missing).filter(({ object }) => object.kind === 'ClusterManagementAddOn'),
    ]);
    expect(parameters.map(({ metadata }) => metadata.name)).toEqual(['other']);
    const names = objects
      .filter(({ object }) => object.kind === 'AddOnDeploymentConfig')
      .map(({ object }) => object.metadata.name);
    // `logs` still names base.
    expect(names).toEqual(['base', 'unused']);
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'FW9105 the configurations of add-on "logs" stay AddOnDeploymentConfigs: default/missing is not in the input',
    ]);
  });

  test.each([
    [
      'a variable that is listed twice',
      { customizedVariables: [variable('A', '1'), variable('A', '2')] },
      'variable A is listed twice',
    ],
    ['a field that no parameter sets', { newField: 1 }, 'no parameter sets newField'],
  ])('are not made of %s', (_, config, reason) => {
    const text = appOf({ standard: 'base', placements: [undefined], clusters: {} }, { base: config });
    const { objects, parameters, diagnostics } = asParameters(loaded(text));
    expect(parameters).toEqual([]);
    expect(objects.map(({ object }) => object)).toEqual(loaded(text).map(({ object }) => object));
    expect(diagnostics[0]?.message).toBe(
      `the configurations of add-on "logs" stay AddOnDeploymentConfigs: ${reason}`,
    );
  });
});
