import type { Random } from '../../engines/charts/random.ts';

/** Paths below `.Values` by the type that the values there have, whatever a seed decides. */
export const valuePaths = {
  text: [
    'nameOverride',
    'logLevel',
    'domain',
    'description',
    'greeting',
    'created',
    'memory',
    'image.registry',
    'image.repository',
    'image.tag',
    'image.pullPolicy',
    'service.type',
    'global.region',
  ],
  integer: ['replicas', 'service.port', 'numbers.large', 'numbers.negative', 'numbers.zero', 'numbers.octal'],
  number: ['numbers.fraction', 'numbers.exponent', 'numbers.tiny', 'numbers.huge', 'numbers.hex', 'replicas'],
  flag: ['enabled', 'rbac.create', 'metrics.enabled'],
  map: [
    'labels',
    'env',
    'resources',
    'config',
    'config.nested',
    'override',
    'empty',
    'image',
    'numbers',
    'global',
  ],
  list: ['hosts', 'args', 'none', 'ports', 'tolerations'],
  texts: ['hosts', 'args', 'none'],
  other: ['released', 'missing', 'nothing', 'config.items', 'config.when', 'numbers', 'ports', 'config'],
} as const;

const texts: Readonly<Record<string, readonly string[]>> = {
  nameOverride: ["''", 'agent', '"Agent_Name-With-A-Long-Text-That-Is-Truncated-After-63-Characters"'],
  logLevel: ['info', 'debug', '"yes"', "'1.10'", '"null"'],
  domain: ['example.com', 'a.b.example.org', '"*.example.com"'],
  description: [
    '|\n  first line\n  second: line\n\n  last',
    '>-\n  folded\n  text',
    '"tab\\tand \\"quotes\\" \\u00e9"',
    "'# no comment'",
  ],
  greeting: [
    "'hello {{ .Release.Name }}'",
    "'{{ .Values.logLevel | upper }}-{{ .Values.domain }}'",
    '\'{{ include "app.name" . }} {{ .Values.image.tag | default .Chart.AppVersion }}\'',
    "'{{ range .Values.hosts }}{{ . }};{{ end }}'",
    'plain',
  ],
  created: ['"2024-05-01T10:20:30Z"', "'2023-12-31T23:59:59+01:00'"],
  memory: ['128Mi', '1Gi', '"64"', '1.5Gi'],
};

const numbers: Readonly<Record<string, readonly string[]>> = {
  large: ['1234567890123', '100000000', '4294967296'],
  negative: ['-1', '-12345678'],
  zero: ['0', '-0'],
  octal: ['0o14', '014', '12'],
  fraction: ['0.5', '2.75', '100.0', '.5'],
  exponent: ['1e3', '2.5e6', '1E2'],
  tiny: ['1e-7', '0.0001', '-1e-3'],
  huge: ['1e21', '12345678901234567890', '1e20'],
  hex: ['0x1F', '0b101', '1_000'],
};

const maps: Readonly<Record<string, readonly string[]>> = {
  labels: [
    '{ team: edge, app.kubernetes.io/part-of: suite }',
    '{ tier: "1", "on": "true" }',
    "{ rendered: '{{ .Release.Name }}', z: a }",
  ],
  env: ['{ LEVEL: info, MODE: fast, EMPTY: "" }', '{ PORT: 8080, DEBUG: true, RATE: 0.25 }', '{}'],
  resources: [
    '{ requests: { cpu: 10m, memory: 64Mi }, limits: { memory: 128Mi } }',
    '{ limits: { cpu: 1, memory: 1Gi } }',
    '{}',
  ],
  override: [
    '{ mode: slow, nested: { a: 2, more: [1] } }',
    '{ nested: { deep: { er: null } }, items: [] }',
    '{}',
    '{ mode: null }',
  ],
  empty: ['{}'],
};

const lists: Readonly<Record<string, readonly string[]>> = {
  hosts: ['[a.example.com, b.example.com]', '[c.example.com]', "['{{ .Values.domain }}', x, x]"],
  args: ["['--level=1', '--flag']", '[]', '["a b", "", "\\n"]'],
  none: ['[]'],
  ports: [
    '\n  - { name: web, port: 8080 }\n  - { name: admin, port: 9090, targetPort: admin }',
    '\n- name: web\n  port: 80\n  protocol: UDP',
    '[]',
  ],
  tolerations: ['[{ key: a, operator: Exists }]', '[]'],
};

/** Returns the text of a values.yaml that has all paths of `valuePaths` except those that are missing on purpose. */
export function chartValues(random: Random): string {
  const lines = [
    ...pairs(random, texts),
    `image:\n${indented(
      [
        `registry: ${random.pick(['quay.io', "''", 'registry.example.com:5000'])}`,
        `repository: ${random.pick(['example/agent', 'agent'])}`,
        `tag: ${random.pick(["''", '1.2.3', '"1.10"', "'v2.0.0-rc.1+build'"])}`,
        `pullPolicy: ${random.pick(['IfNotPresent', 'Always'])}`,
      ].join('\n'),
    )}`,
    `service: { type: ${random.pick(['ClusterIP', 'NodePort'])}, port: ${random.pick(['80', '8443'])} }`,
    `replicas: ${random.pick(['1', '2', '3', '3.0'])}`,
    `numbers:\n${indented(pairs(random, numbers).join('\n'))}`,
    `enabled: ${random.pick(['true', 'false', 'yes', 'off'])}`,
    `rbac: { create: ${random.pick(['true', 'false'])} }`,
    `metrics: { enabled: ${random.pick(['true', 'false'])} }`,
    ...pairs(random, maps),
    `config:\n${indented(
      `mode: ${random.pick(['fast', '"1"'])}\nwhen: ${random.pick(['2024-05-01', '12:30:45', '"2024-05-01T00:00:00Z"'])}\nitems: ${random.pick(['[1, two, { three: 3 }]', '[[a], [b]]'])}\nnested: ${random.pick(['{ a: 1, b: { c: x } }', '{ deep: { er: [1, 2] }, "5": five }'])}`,
    )}`,
    ...pairs(random, lists),
    `released: ${random.pick(['2024-05-01', '2024-05-01T10:20:30Z', '1.10', '08'])}`,
    `nothing: ${random.pick(['null', '~', ''])}`,
    `global: { region: ${random.pick(['eu', '"1"'])}, pullSecrets: ${random.pick(['[]', '[{ name: pull }]'])} }`,
    `tags: { store: ${random.pick(['true', 'false'])}, other: false }`,
  ];
  return `# Values of the chart.\n${shuffled(random, lines).join('\n')}\n`;
}

const overrides = [
  'replicas: 5',
  'logLevel: warn',
  'image: { tag: v9 }',
  'image: { registry: null }',
  'config: { nested: { a: 7, added: true } }',
  'config: { items: null }',
  'resources: { limits: { cpu: 500m } }',
  'resources: null',
  'labels: { team: null, more: "1" }',
  'hosts: [d.example.com]',
  'hosts: []',
  'numbers: { large: 98765432109876, fraction: 1e-9 }',
  'enabled: true',
  'metrics: { enabled: true }',
  'rbac: { create: true }',
  'greeting: "{{ .Chart.Name }} of {{ .Release.Namespace }}"',
  'global: { region: us, extra: { a: 1 } }',
  'store: { enabled: true, size: 20Gi }',
  'store: { enabled: false }',
  'db: { size: 3, nested: { a: null } }',
  'tags: { store: true }',
  'tags: { store: false, other: true }',
  'missing: found',
  'imported: { port: 1 }',
];

/** Values that a schema or a chart may refuse. */
const oddOverrides = [
  'replicas: two',
  'image: text',
  'config: 1',
  'hosts: { a: b }',
  'labels: []',
  'store: 1',
];

/** Returns the text of a values file that overrides some of the values. */
export function userValues(random: Random): string {
  const chosen = random.some(4, () => random.pick(overrides));
  if (random.chance(0.08)) chosen.push(random.pick(oddOverrides));
  const byKey = new Map(chosen.map((text) => [text.split(':')[0], text]));
  return [...byKey.values()].map((text) => `${text}\n`).join('');
}

function pairs(random: Random, values: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(values).map(([key, choices]) => {
    const value = random.pick(choices);
    return value.startsWith('\n') ? `${key}:${value}` : `${key}: ${value}`;
  });
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function shuffled(random: Random, items: readonly string[]): string[] {
  return items
    .map((item) => [random.next(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);
}
