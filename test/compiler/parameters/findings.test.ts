import { describe, expect, test } from 'vitest';
import { fleetOf } from '../../resolve-text.ts';
import { addOnText, findingLines, parametersText, resolveParameters } from './parameters-text.ts';

const fleet = fleetOf({ c1: { region: 'eu' }, c2: { region: 'us' } });

/** The findings of layers; the first line of `spec` is line 1. */
function findings(spec: string, addOn = addOnText(), more = ''): string[] {
  const { resolution, diagnostics } = resolveParameters(`${addOn}${parametersText(spec)}${more}`, fleet);
  expect(resolution === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'));
  const before = addOn.split('\n').length + 4;
  return findingLines(diagnostics).map((line) =>
    line.replace(/ (\d+):/, (_all, number: string) => ` ${Number(number) - before}:`),
  );
}

const declarations = `parameters:
  LOG_LEVEL: { type: enum, values: [debug, info], default: info }
  REPLICAS: { type: integer, default: 2, min: 0, max: 9 }
  SETTINGS: { type: object, schema: { properties: { port: { type: integer } }, additionalProperties: false } }
layers:
`;

describe('findings of layers', () => {
  test('FW4101: an unknown parameter, with the probable name', () => {
    expect(findings(`${declarations}- values: { LOG_LEVLE: debug }\n`)).toEqual([
      'FW4101 6: the add-on has no parameter "LOG_LEVLE" (did you mean "LOG_LEVEL"?)',
    ]);
  });

  test('FW4102 and FW4103: a wrong type, and values outside of the limits', () => {
    expect(
      findings(`${declarations}- values: { REPLICAS: many }
- values: { REPLICAS: 10 }
- values: { LOG_LEVEL: debgu }
- values: { SETTINGS: { prt: 1 } }
`),
    ).toEqual([
      'FW4102 6: REPLICAS must be an integer, but is the string "many"',
      'FW4103 7: REPLICAS must be at most 9, but is 10',
      'FW4103 8: LOG_LEVEL must be "debug" or "info", but is "debgu" (did you mean "debug"?)',
      'FW4103 9: unknown field "prt" (did you mean "port"?)',
    ]);
  });

  test('FW4103: a computed value outside of the limits names the clusters', () => {
    expect(findings(`${declarations}- values: { LOG_LEVEL: { $fact: cluster.labels.region } }\n`)).toEqual([
      'FW4103 6: LOG_LEVEL must be "debug" or "info", but is "eu", on cluster "c1"',
      'FW4103 6: LOG_LEVEL must be "debug" or "info", but is "us", on cluster "c2"',
    ]);
  });

  test('FW4104: two layers of one cluster that set different values', () => {
    const layers = `- cluster: c1
  values: { REPLICAS: 3 }
- cluster: c1
  values: { REPLICAS: 4 }
`;
    expect(findings(declarations + layers)).toEqual([
      'FW4104 9: the layers cluster c1 and cluster c1 set REPLICAS to different values, and neither is stronger, on cluster "c1" (set order of one of the layers; the larger one is stronger)',
    ]);
    expect(findings(`${declarations}${layers}  order: 1\n`)).toEqual([]);
    expect(findings(declarations + layers.replace('4', '3'))).toEqual([]);
  });

  test('FW4104: layers with labels are ordered in one file, but not across files', () => {
    const layers = `- where: { region: eu }
  values: { REPLICAS: 3 }
- where: { region: [eu, us] }
  values: { REPLICAS: 4 }
`;
    expect(findings(declarations + layers)).toEqual([]);
    const other = `---
apiVersion: fleetwright.dev/v1alpha1
kind: AddOnValues
metadata: { name: more }
spec: { addOn: logs, layers: [{ where: { region: eu }, values: { REPLICAS: 5 } }] }
`;
    expect(findings(declarations + layers, addOnText(), other)).toEqual([
      'FW4104 14: the layers region=eu|us and region=eu set REPLICAS to different values, and neither is stronger, on cluster "c1" (set order of one of the layers; the larger one is stronger)',
    ]);
  });

  test('FW4105: a layer that matches no cluster', () => {
    expect(
      findings(`${declarations}- where: { region: ue }
  values: { REPLICAS: 3 }
- cluster: c3
  values: { REPLICAS: 3 }
`),
    ).toEqual([
      'FW4105 6: no cluster of "logs" matches the layer region=ue (correct the selector, or remove the layer)',
      'FW4105 8: cluster "c3" is not in the fleet (the clusters are "c1" and "c2")',
    ]);
  });

  test('FW4106: a fact that clusters lack', () => {
    expect(findings(`${declarations}- values: { LOG_LEVEL: { $fact: cluster.labels.level } }\n`)).toEqual([
      'FW4106 6: cluster.labels.level has no value, on 2 clusters: "c1", "c2" (set a default: { $fact: …, $default: … } or ${…:-default} in a text)',
    ]);
  });

  test('FW4107: parameters that depend on each other', () => {
    expect(
      findings(`parameters: { A: { type: string }, B: { type: string } }
layers:
- values: { A: { $fact: parameters.B }, B: { $text: 'x\${parameters.A}' } }
`),
    ).toEqual(['FW4107 3: parameters depend on each other: A → B → A, on 2 clusters: "c1", "c2"']);
  });

  test('FW4107: a cycle that only some clusters have, and one through a default', () => {
    expect(
      findings(`parameters: { A: { type: string, default: a }, B: { type: string, default: b } }
layers:
- values: { A: { $fact: parameters.B } }
- cluster: c2
  values: { B: { $text: 'x\${parameters.A}' } }
- cluster: c1
  values: { B: { $fact: cluster.labels.none, $default: { $fact: parameters.A } } }
`),
    ).toEqual(['FW4107 3: parameters depend on each other: A → B → A, on 2 clusters: "c1", "c2"']);
    expect(
      findings('parameters: { A: { type: string } }\nlayers: [{ values: { A: { $fact: parameters.A } } }]\n'),
    ).toEqual(['FW4107 2: parameters depend on each other: A → A, on 2 clusters: "c1", "c2"']);
  });

  test('FW4108: a configuration that the API server cannot store', () => {
    const parameters = Array.from(
      { length: 1600 },
      (_, index) => `  V${index}: { type: string, default: ${'x'.repeat(1000)} }\n`,
    );
    expect(findings(`parameters:\n${parameters.join('')}`)).toEqual([
      expect.stringMatching(
        /^FW4108 -3: the AddOnDeploymentConfig "logs-[0-9a-f]{10}" has 16\d{5} bytes, and the API server stores at most 1572864 \(deliver large values in a configuration of another kind\)$/,
      ),
    ]);
  });

  test('a namespace or a name with which the API server rejects the configurations', () => {
    const invalid = (text: string, addOn = addOnText()): unknown => {
      const { resolution, diagnostics } = resolveParameters(addOn + text, fleet);
      return [resolution, diagnostics.map(({ code, message }) => `${code} ${message}`)];
    };
    const text = parametersText('parameters: { LOG_LEVEL: { type: string, default: info } }\n');
    expect(invalid(text.replace('namespace: default', 'namespace: Default'))).toEqual([
      undefined,
      [
        `FW2019 namespace "Default" must consist of lower-case letters, digits and '-', and begin and end with a letter or digit`,
      ],
    ]);
    const name = `logs-${'x'.repeat(240)}`;
    const [, messages] = invalid(
      text.replace('name: logs', `name: ${name}`),
      addOnText().replace('name: logs, annotations', `name: ${name}, annotations`),
    ) as [unknown, readonly string[]];
    expect(messages).toEqual([
      expect.stringMatching(/^FW2016 name "logs-x+… must have at most 253 bytes, but has 256$/),
    ]);
  });

  test('FW7108: one finding for all configurations of an add-on without an install namespace', () => {
    const text = parametersText(`${declarations}- cluster: c1\n  values: { REPLICAS: 3 }\n`);
    const { diagnostics } = resolveParameters(addOnText() + text, fleet);
    expect(
      diagnostics.filter(({ code }) => code === 'FW7108').map(({ message, hint }) => [message, hint]),
    ).toEqual([
      [
        'the hub moves the objects that the template has in "default" to "open-cluster-management-agent-addon" on 2 clusters: the configuration has that agentInstallNamespace, which is the default',
        'declare a parameter with field: agentInstallNamespace; the value "" keeps the namespaces of the template',
      ],
    ]);
  });

  test('FW4108: limits of the hub for names and values of variables', () => {
    expect(findings('parameters: { log-level: { type: string } }\n')).toEqual([
      'FW4108 1: the name of the variable "log-level" is not the name of a variable (the hub accepts letters, digits and underscores, at most 255; set `variable`)',
    ]);
    expect(findings(`parameters: { A: { type: string, default: ${'x'.repeat(1025)} } }\n`)).toEqual([
      'FW4108 1: the value of A has 1025 characters, but the hub accepts at most 1024 in a customized variable, on 2 clusters: "c1", "c2" (shorten the value, or deliver it in a configuration of another kind)',
    ]);
  });

  test.each([
    ['parameters: { A: { type: text } }', 'type must be "string"'],
    ['parameters: { A: { type: string, min: 1 } }', 'a parameter of type string has no min'],
    ['parameters: { A: { type: enum } }', 'an enum needs values'],
    [
      'parameters: { A: { type: string, field: registries } }',
      'a parameter for registries is of type list, not string',
    ],
    ['parameters: { A: { type: object, schema: { oneOf: [] } } }', 'the keyword oneOf is not supported'],
    [
      'parameters: { A: { type: string, variable: X }, B: { type: string, variable: X } }',
      '"B" and "A" set the same target',
    ],
    [
      'parameters: {}\nlayers: [{ cluster: c1, where: { a: b }, values: {} }]',
      'the layer has several scopes',
    ],
    ['parameters: {}\nlayers: [{ value: {} }]', 'required field values is missing'],
    [
      'parameters: {}\nlayers: [{ where: { labels: { matchLabels: { region: eu } } }, values: {} }]',
      'labels must be a string, but is the object {"matchLabels":{"region":"eu"}}',
    ],
    [
      'parameters: {}\nlayers: [{ claims: { matchLabel: { region: eu } }, values: {} }]',
      'matchLabel must be a string, but is the object {"region":"eu"}',
    ],
  ])('FW4109: %s', (spec, message) => {
    expect(findings(`${spec}\n`).join('\n')).toContain(message);
  });

  test('FW4110: layers for an add-on without parameters', () => {
    const other = `---
apiVersion: fleetwright.dev/v1alpha1
kind: AddOnValues
metadata: { name: more }
spec: { addOn: log, layers: [] }
`;
    expect(findings(declarations.replace('layers:\n', ''), addOnText(), other)).toEqual([
      'FW4110 9: no AddOnParameters declares the parameters of "log" (did you mean "logs"?)',
    ]);
  });

  test('FW4111: an AddOnDeploymentConfig beside parameters', () => {
    const addOn = addOnText().replace(
      'rolloutStrategy: { type: All }',
      'configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, name: x, namespace: default }]',
    );
    expect(findings(declarations.replace('layers:\n', ''), addOn).join('\n')).toContain(
      '"logs" has parameters, and also the AddOnDeploymentConfig "default/x"',
    );
  });

  test('FW4112: a layer of a placement that the install strategy does not have', () => {
    expect(findings(`${declarations}- placement: al\n  values: { REPLICAS: 3 }\n`)).toEqual([
      'FW4112 6: the install strategy has no placement "al" (the placements are "default/all")',
    ]);
  });

  test('FW4113: parameters of an add-on that the app does not have', () => {
    expect(
      findings(
        declarations.replace('layers:\n', ''),
        addOnText().replace('name: logs, annotations', 'name: log, annotations'),
      ).join('\n'),
    ).toContain(
      'FW4113 -1: ClusterManagementAddOn "logs" is not in the same app as its parameters (did you mean "log"?)',
    );
  });

  test('FW4114: an expression that is not valid', () => {
    expect(
      findings(`${declarations}- values: { LOG_LEVEL: { $fact: cluster.region } }\n`).join('\n'),
    ).toContain('FW4114 6: "cluster.region" is not a fact (the facts are cluster.name,');
    expect(
      findings(`${declarations}- values: { LOG_LEVEL: { $text: 'a\${cluster.name' } }\n`).join('\n'),
    ).toContain('FW4114 6: "a${cluster.name" has no closing brace (write $$ for a dollar sign)');
  });
});
