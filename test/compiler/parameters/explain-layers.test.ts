import { describe, expect, test } from 'vitest';
import { explainAddOn } from '../../../src/compiler/explain/explain-add-on.ts';
import { explanationText } from '../../../src/compiler/report/text/explanation-text.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { fleetOf } from '../../resolve-text.ts';
import { addOnText, parametersText, resolveParameters } from './parameters-text.ts';

const app =
  addOnText() +
  parametersText(`parameters:
  LOG_LEVEL: { type: enum, values: [debug, info, warn], default: info }
  level: { type: string, default: low, variable: NOISE }
  nodes: { type: object, field: nodePlacement, default: { nodeSelector: { os: linux } } }
  mirrors: { type: list, field: registries }
  TEAM: { type: string }
layers:
- values:
    mirrors: [{ source: docker.io, mirror: a.example.com }]
    TEAM: { $fact: cluster.labels.team, $default: none }
- where: { env: prod }
  values: { LOG_LEVEL: warn, nodes: { nodeSelector: { pool: fast } } }
- where: { env: dev }
  values: { LOG_LEVEL: debug }
- cluster: c1
  values:
    LOG_LEVEL: debug
    mirrors: { $append: [{ source: quay.io, mirror: b.example.com }] }
    TEAM: null
`);

const fleet = fleetOf({ c1: { env: 'prod' }, c2: { env: 'dev' } });

/** What explain prints of the parameters of a field. */
function explained(cluster: string, field: string, text = app): string {
  const { resolution, diagnostics } = resolveParameters(text, fleet);
  if (resolution === undefined) throw new Error(JSON.stringify(diagnostics));
  const explanation = explainAddOn(resolution, 'logs', cluster, field, hubVersion('1.3'));
  if (explanation === undefined) throw new Error('no explanation');
  if (explanation.unknown !== undefined) return explanation.unknown.hint ?? '';
  const lines = explanationText(explanation, { paint: (_tone, part) => part, names: 10 }).split('\n');
  const shown = lines.slice(lines.indexOf('values') + 1);
  return shown.filter((line) => !/^ {4}(?:from|not) /.test(line)).join('\n');
}

describe('explain of a value that a parameter sets', () => {
  test('names the layer that sets it, and each one that does not, with its reason and line', () => {
    expect(explained('c1', 'LOG_LEVEL')).toBe(`  spec.customizedVariables[LOG_LEVEL].value: "debug"
    parameter LOG_LEVEL
      set to "debug" by the layer cluster c1 (app.yaml:46)
      not "warn" by the layer env=prod: a stronger layer sets it (app.yaml:41)
      not "info" by its default: a stronger layer sets it (app.yaml:31)
      not "debug" by the layer env=dev: it does not apply to the cluster (app.yaml:43)
`);
  });

  test('finds a path below a parameter', () => {
    expect(explained('c1', 'nodes.nodeSelector.pool')).toBe(`  spec.nodePlacement.nodeSelector.pool: "fast"
    parameter nodes
      set to "fast" by the layer env=prod (app.yaml:41)
`);
  });

  test('finds a parameter by its name and by its variable', () => {
    const level = `  spec.customizedVariables[NOISE].value: "low"
    parameter level
      set to "low" by its default (app.yaml:32)
`;
    expect(explained('c2', 'level')).toBe(level);
    expect(explained('c2', 'NOISE')).toBe(level);
    expect(explained('c2', 'LOGLEVEL')).toBe('did you mean "LOG_LEVEL"?');
  });

  test('explains each key of a merged object', () => {
    expect(explained('c1', 'nodes')).toBe(`  spec.nodePlacement.nodeSelector.os: "linux"
    parameter nodes
      set to "linux" by its default (app.yaml:33)
  spec.nodePlacement.nodeSelector.pool: "fast"
    parameter nodes
      set to "fast" by the layer env=prod (app.yaml:41)
`);
  });

  test('explains each entry of a list to which layers append', () => {
    const mirrors = explained('c1', 'mirrors').split('\n');
    // Both layers apply, each to its own entry.
    expect(mirrors.filter((line) => line.includes('does not apply'))).toEqual([]);
    expect(mirrors.slice(0, 3)).toEqual([
      '  spec.registries[0].source: "docker.io"',
      '    parameter mirrors',
      '      set to [{"source":"docker.io","mirror":"a.example.com"}] by the layer of all clusters (app.yaml:38)',
    ]);
    expect(mirrors.find((line) => line.includes('quay.io') && line.includes('set to'))).toBe(
      '      set to [{"source":"quay.io","mirror":"b.example.com"}] by the layer cluster c1 (app.yaml:47)',
    );
  });

  test('names the layer of each key of an object in a variable, and a later layer of equal rank', () => {
    const layers = `parameters:
  LIMITS: { type: object, default: { cpu: 1, memory: { max: 2 } } }
  HOSTS: { type: list, items: { type: string }, default: [a] }
layers:
- where: { env: prod }
  values: { LIMITS: { cpu: 3 }, HOSTS: { $append: [b] } }
- where: { env: prod }
  values: { LIMITS: { cpu: 4, disk: 5, memory: null } }
`;
    const text = addOnText() + parametersText(layers);
    expect(explained('c1', 'LIMITS', text))
      .toBe(`  spec.customizedVariables[LIMITS].value: "{\\"cpu\\":4,\\"disk\\":5}"
    parameter LIMITS
      disk: set to 5 by the layer env=prod (app.yaml:37)
      memory: removed by the layer env=prod (app.yaml:37)
      cpu: set to 4 by the layer env=prod (app.yaml:37)
      cpu: not 3 by the layer env=prod: a later layer of equal rank sets it (app.yaml:35)
      memory.max: not 2 by its default: a stronger layer sets it (app.yaml:31)
      cpu: not 1 by its default: a stronger layer sets it (app.yaml:31)
`);
    expect(explained('c1', 'HOSTS', text)).toBe(`  spec.customizedVariables[HOSTS].value: "[\\"a\\",\\"b\\"]"
    parameter HOSTS
      set to ["b"] by the layer env=prod (app.yaml:35)
      set to ["a"] by its default (app.yaml:32)
`);
  });

  test('does not name keys of a sensitive value', () => {
    const text = `${addOnText()}${parametersText(`parameters:
  LOGIN: { type: object, sensitive: true, default: { alice: a } }
layers:
- values: { LOGIN: { bob: b } }
`)}`;
    expect(explained('c1', 'LOGIN', text)).not.toMatch(/alice|bob/);
  });

  test('names the layer that removes a value, and the expression of another', () => {
    expect(explained('c1', 'TEAM')).toBe(`  nothing sets TEAM
    parameter TEAM
      removed by the layer cluster c1 (app.yaml:48)
      not {"$fact":"cluster.labels.team","$default":"none"} by the layer of all clusters: a stronger layer sets it (app.yaml:39)
`);
    expect(explained('c2', 'TEAM')).toContain(
      'set to {"$fact":"cluster.labels.team","$default":"none"} by the layer of all clusters (app.yaml:39)',
    );
  });

  test('lists ten layers of other clusters, and counts the rest', () => {
    const many = Array.from(
      { length: 12 },
      (_, index) => `  - where: { x: '${index}' }\n    values: { level: l${index} }\n`,
    );
    const lines = explained('c2', 'level', `${app}${many.join('')}`).split('\n');
    expect(lines.filter((line) => line.includes('does not apply'))).toHaveLength(10);
    expect(lines.at(-2)).toBe('      and 2 more layers');
  });
});
