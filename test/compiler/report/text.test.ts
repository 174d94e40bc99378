import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import { diagnosticsAsText, type Colors } from '../../../src/compiler/report/text/text.ts';

const fleet = `apiVersion: v1
kind: Namespace
metadata:
  name: hub
`;
const app = "new Placement(chart, 'aws', {\n\tclusterSets: [],\n});\n";
const textOf = (file: string): string | undefined =>
  ({ 'fleet.yaml': fleet, 'app.ts': app, 'chart.tgz': '\u001f\ufffd\b\0\0\0[m' })[file];

const missing: Diagnostic = {
  code: 'FW4001',
  severity: 'error',
  message: 'addondeploymentconfigs "default/none" does not exist',
  object: {
    apiVersion: 'addon.open-cluster-management.io/v1beta1',
    kind: 'ClusterManagementAddOn',
    name: 'hello',
  },
  path: 'spec.defaultConfigs[0]',
  location: { file: 'fleet.yaml', line: 4, column: 3 },
  hint: 'create the object, or correct the reference',
  related: [
    { message: 'the other reference', location: { file: 'fleet.yaml', line: 2, column: 1 } },
    {
      message: 'the placement',
      location: { construct: 'app/aws', source: { file: 'app.ts', line: 1, column: 5 } },
    },
    { message: 'nothing else refers to it' },
  ],
};
const stray: Diagnostic = {
  code: 'FW4007',
  severity: 'warning',
  message: 'no cluster is named cluster9',
  location: { file: 'fleet.yaml', line: 2, column: 7 },
};

test('a finding in a file shows its line, its object, the remedy, and other locations', () => {
  expect(diagnosticsAsText([missing], { textOf })).toMatchInlineSnapshot(`
    "error FW4001: addondeploymentconfigs "default/none" does not exist
     --> fleet.yaml:4:3
      |
    4 |   name: hub
      |   ^
      = object: ClusterManagementAddOn hello
      = field: spec.defaultConfigs[0]
      = hint: create the object, or correct the reference
      = see: the other reference, fleet.yaml:2:1
      = see: the placement, app/aws (app.ts:1:5)
      = see: nothing else refers to it

    1 error
    "
  `);
});

test('a finding in a construct shows the construct and the line of the app that made it', () => {
  const object = { apiVersion: 'v1', kind: 'Placement', namespace: 'default', name: 'aws' };
  const location = { construct: 'app/aws', source: { file: 'app.ts', line: 2, column: 2 } };
  expect(
    diagnosticsAsText(
      [{ code: 'FW3001', severity: 'warning', message: 'no set is bound', object, location }],
      { textOf },
    ),
  ).toMatchInlineSnapshot(`
    "warning FW3001: no set is bound
     --> app/aws (app.ts:2:2)
      |
    2 | →clusterSets: [],
      |  ^
      = object: Placement default/aws

    1 warning
    "
  `);
});

test('a file that is not text is named alone', () => {
  const location = { file: 'chart.tgz', line: 1, column: 1 };
  expect(
    diagnosticsAsText([{ code: 'FW6028', severity: 'error', message: 'random', location }], { textOf }),
  ).toBe('error FW6028: random\n --> chart.tgz:1:1\n\n1 error\n');
});

test('without a line to show the place is named alone', () => {
  const places: Diagnostic['location'][] = [
    undefined,
    { construct: 'app/aws' },
    { construct: 'app/aws', source: { file: 'other.ts', line: 120, column: 4 } },
    { file: 'fleet.yaml', line: 99, column: 1 },
  ];
  const diagnostics = places.map((location): Diagnostic => ({
    code: 'FW3008',
    severity: 'info',
    message: 'by chance',
    hint: 'see the page',
    ...(location && { location }),
  }));
  expect(diagnosticsAsText(diagnostics, { textOf })).toMatchInlineSnapshot(`
    "info FW3008: by chance
      --> fleet.yaml:99:1
       = hint: see the page

    info FW3008: by chance
     --> app/aws
      = hint: see the page

    info FW3008: by chance
       --> app/aws (other.ts:120:4)
        = hint: see the page

    info FW3008: by chance
      = hint: see the page

    4 info
    "
  `);
});

test('nothing is printed of nothing', () => {
  expect(diagnosticsAsText([], { textOf })).toBe('');
});

describe('order', () => {
  const at = (
    severity: Diagnostic['severity'],
    message: string,
    location?: Diagnostic['location'],
  ): Diagnostic => ({ code: 'FW1001', severity, message, ...(location && { location }) });
  const place = (file: string, line: number, column = 1) => ({ file, line, column });

  test('errors come first, then by file, line and column, then constructs, then the rest', () => {
    const diagnostics = [
      at('info', 'o'),
      at('warning', 'm', place('b.yaml', 1)),
      at('error', 'l'),
      at('error', 'j', { construct: 'b' }),
      at('error', 'h', { construct: 'a' }),
      at('error', 'i', { construct: 'a' }),
      at('error', 'f', place('b.yaml', 10)),
      at('error', 'e', place('b.yaml', 9, 20)),
      at('error', 'd', place('b.yaml', 9, 3)),
      at('error', 'b', place('a.yaml', 100)),
      at('warning', 'n'),
    ];
    const printed = diagnosticsAsText(diagnostics, { textOf: () => undefined, limit: 100 });
    expect([...printed.matchAll(/^\w+ FW1001: (.)$/gm)].map(([, message]) => message).join('')).toBe(
      'bdefhijlmno',
    );
  });

  test('at one location the code decides, then the given order', () => {
    const location = place('a.yaml', 1);
    const diagnostics: Diagnostic[] = [
      { code: 'FW2001', severity: 'error', message: 'b', location },
      { code: 'FW1001', severity: 'error', message: 'z', location },
      { code: 'FW2001', severity: 'error', message: 'a', location },
    ];
    const printed = diagnosticsAsText(diagnostics, { textOf: () => undefined });
    expect([...printed.matchAll(/^error (.*)$/gm)].map(([, title]) => title)).toEqual([
      'FW1001: z',
      'FW2001: b',
      'FW2001: a',
    ]);
  });
});

test('many findings of one code are counted, not shown', () => {
  const many = Array.from({ length: 5000 }, (_, index): Diagnostic => ({
    ...stray,
    message: `${index}`,
    location: { file: 'fleet.yaml', line: 2, column: 7 },
  }));
  expect(diagnosticsAsText([missing, ...many, missing], { textOf: () => undefined, limit: 1 }))
    .toMatchInlineSnapshot(`
    "error FW4001: addondeploymentconfigs "default/none" does not exist
     --> fleet.yaml:4:3
      = object: ClusterManagementAddOn hello
      = field: spec.defaultConfigs[0]
      = hint: create the object, or correct the reference
      = see: the other reference, fleet.yaml:2:1
      = see: the placement, app/aws (app.ts:1:5)
      = see: nothing else refers to it

    warning FW4007: 0
     --> fleet.yaml:2:7

    error FW4001: 1 more like this (Missing configuration object)

    warning FW4007: 4999 more like this (ManagedClusterAddOn for a cluster outside the fleet)

    2 errors, 5000 warnings
    "
  `);
  const shown = diagnosticsAsText(many, { textOf: () => undefined });
  expect(shown.match(/^warning/gm)?.length).toBe(11);
  expect(shown).toContain(
    'warning FW4007: 4990 more like this (ManagedClusterAddOn for a cluster outside the fleet)',
  );
});

test.each([
  [[stray], '1 warning'],
  [[stray, stray, missing], '1 error, 2 warnings'],
  [
    [{ ...stray, severity: 'info' as const }, { ...stray, severity: 'info' as const }, missing, missing],
    '2 errors, 2 info',
  ],
])('the last line counts', (diagnostics, summary) => {
  expect(diagnosticsAsText(diagnostics, { textOf }).trimEnd().split('\n').at(-1)).toBe(summary);
});

test('colors mark the severity, the frame and the words', () => {
  const mark = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
  const colors: Colors = {
    bold: mark('b'),
    dim: mark('d'),
    red: mark('r'),
    yellow: mark('y'),
    cyan: mark('c'),
  };
  expect(
    diagnosticsAsText(
      [
        { ...stray, hint: 'add the cluster' },
        { ...missing, related: [] },
      ],
      { textOf, colors },
    ),
  ).toMatchInlineSnapshot(`
    "<r>error FW4001</r><b>: addondeploymentconfigs "default/none" does not exist</b>
     <d>--></d> fleet.yaml:4:3
      <d>|</d>
    <d>4</d> <d>|</d>   name: hub
      <d>|</d>   <r>^</r>
      <d>=</d> <b>object</b>: ClusterManagementAddOn hello
      <d>=</d> <b>field</b>: spec.defaultConfigs[0]
      <d>=</d> <b>hint</b>: create the object, or correct the reference

    <y>warning FW4007</y><b>: no cluster is named cluster9</b>
     <d>--></d> fleet.yaml:2:7
      <d>|</d>
    <d>2</d> <d>|</d> kind: Namespace
      <d>|</d>       <y>^</y>
      <d>=</d> <b>hint</b>: add the cluster

    <r>1 error</r>, <y>1 warning</y>
    "
  `);
});

test('texts cannot reach into the terminal', () => {
  const evil: Diagnostic = {
    ...missing,
    message: 'bad\u001b[31m name\nerror FW0000: faked',
    object: { apiVersion: 'v1', kind: 'A', namespace: 'x\u0007', name: '\u009b2J' },
    path: 'spec[\u001b]',
    location: { file: 'a\u001b.yaml', line: 1, column: 3 },
    related: [{ message: 'a\rb' }],
  };
  expect(diagnosticsAsText([evil], { textOf: () => '\u001b[2Jtext\n' })).toMatchInlineSnapshot(`
    "error FW4001: bad\\u001b[31m name error FW0000: faked
     --> a\\u001b.yaml:1:3
      |
    1 | �[2Jtext
      |   ^
      = object: A x\\u0007/\\u009b2J
      = field: spec[\\u001b]
      = hint: create the object, or correct the reference
      = see: a\\u000db

    1 error
    "
  `);
});
