import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { GeneratedRelease } from '../../charts/generated/random-release.ts';
import { Random } from './random.ts';
import type { AgentRequest } from './values/random-chart.ts';
import { randomRequest } from './values/random-request.ts';

/** Charts in Go modules of the ecosystem that the module proxy serves: those that managers embed, and those that install them. */
const modules: readonly (readonly [module: string, charts: readonly string[]])[] = [
  [
    'open-cluster-management.io/addon-framework@v1.3.0',
    ['examples/helloworld_helm/manifests/charts/helloworld', 'pkg/addonfactory/testmanifests/chart'],
  ],
  [
    'open-cluster-management.io/cluster-proxy@v0.10.0',
    ['pkg/proxyagent/agent/manifests/charts/addon-agent', 'charts/cluster-proxy'],
  ],
  ['open-cluster-management.io/cluster-proxy@v0.7.0', ['pkg/proxyagent/agent/manifests/charts/addon-agent']],
  ['open-cluster-management.io/managed-serviceaccount@v0.9.0', ['charts/managed-serviceaccount']],
  [
    'open-cluster-management.io/ocm@v1.2.1',
    ['deploy/klusterlet/chart/klusterlet', 'deploy/cluster-manager/chart/cluster-manager'],
  ],
];

/** Public charts that Helm installs. */
const publicModules: typeof modules = [
  ['sigs.k8s.io/metrics-server@v0.9.0', ['charts/metrics-server']],
  ['sigs.k8s.io/descheduler@v0.36.0', ['charts/descheduler']],
  ['sigs.k8s.io/kueue@v0.17.0', ['charts/kueue']],
  ['k8s.io/ingress-nginx@v0.0.0-20240708192948-52c50467d67d', ['charts/ingress-nginx']],
];

/** Values without which no manifest of cluster-proxy's agent is valid: its manager always sets them. */
const given = {
  tag: 'v1',
  agentIdentifiers: 'host=cluster1&host=cluster1.agents',
  serviceDomain: 'svc.cluster.local',
  serviceEntryPoint: 'proxy.example.com',
  serviceProxyHost: 'cluster1.proxy.example.com',
  enableKubeApiProxy: true,
  staticProxyAgentSecretCert: 'Y2VydA==',
  staticProxyAgentSecretKey: 'a2V5',
  serviceProxySecretCert: 'Y2VydA==',
  serviceProxySecretKey: 'a2V5',
};

/** A chart of a module, with the text of each file by path. */
export interface ModuleChart {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Downloads the modules of the ecosystem, and returns their charts. */
export function moduleCharts(): ModuleChart[] {
  return downloaded(modules, (name) => !name.startsWith('.'));
}

/** Downloads modules with public charts, and returns the charts. */
export function publicModuleCharts(): ModuleChart[] {
  return downloaded(publicModules, (name) => name === '.helmignore' || !name.startsWith('.'));
}

function downloaded(wanted: typeof modules, isOfChart: (name: string) => boolean): ModuleChart[] {
  const answers = execFileSync('go', ['mod', 'download', '-json', ...wanted.map(([module]) => module)], {
    cwd: path.join(import.meta.dirname, 'values'),
    encoding: 'utf8',
    timeout: 300_000,
  });
  const folders = [...answers.matchAll(/"Dir": "(.*)"/g)].map(([, folder = '']) => folder);
  return wanted.flatMap(([module, charts], index) =>
    charts.map((chart) => ({
      name: `${module}/${chart}`,
      files: filesBelow(path.join(folders[index] ?? '', chart), isOfChart),
    })),
  );
}

function filesBelow(folder: string, isOfChart: (name: string) => boolean): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isOfChart(entry.name))
    .map(({ parentPath, name }) => path.join(parentPath, name));
  return Object.fromEntries(files.map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]));
}

/** Returns a request to render a chart with random values; the same one for the same seed. */
export function moduleRequest({ files }: ModuleChart, seed: number): AgentRequest {
  const random = new Random(seed);
  const defaults = (parse(files['values.yaml'] ?? '') ?? {}) as object;
  const values = seed % 10 === 0 ? given : { ...given, ...changes(random, { ...given, ...defaults }) };
  const { config, clusterAnnotations, registers } = randomRequest(seed);
  return {
    profile: [
      {
        function: 'GetAddOnDeploymentConfigValues',
        toValues: ['ToAddOnNodePlacementValues', 'ToAddOnProxyConfigValues'],
      },
      { function: 'GetValuesFromAddonAnnotation' },
    ],
    ...(config !== undefined && random.chance(0.3) && { config }),
    annotations: { 'addon.open-cluster-management.io/values': JSON.stringify(values) },
    ...(clusterAnnotations && { clusterAnnotations }),
    registers,
    // The scheme of an agent has only kinds of Kubernetes, and another kind is an error.
    chart: random.chance(0.85) ? withoutOtherKinds(files) : files,
    strict: random.chance(0.1),
    kubeVersion: random.pick(['v1.31.2', 'v1.24.0', 'v1.29.3-eks-1', '']),
  };
}

/** Returns an installation of a chart with random values; the same one for the same seed. */
export function moduleRelease({ files }: ModuleChart, seed: number): GeneratedRelease {
  const random = new Random(seed);
  const defaults = (parse(files['values.yaml'] ?? '') ?? {}) as object;
  return {
    files: new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
    values: seed % 10 === 0 ? '' : JSON.stringify(changes(random, defaults)),
    release: random.pick(['hello', 'my-app']),
    namespace: random.pick(['agents', 'kube-system']),
    kubeVersion: random.pick(['v1.31.2', 'v1.34.2', 'v1.29.3-eks-1']),
  };
}

function withoutOtherKinds(files: ModuleChart['files']): ModuleChart['files'] {
  const isOther = /^\s*apiVersion: "?[\w.]*\.(?:open-cluster-management\.io|coreos\.com)\//m;
  return Object.fromEntries(
    Object.entries(files).filter(([name, text]) => !name.startsWith('templates/') || !isOther.test(text)),
  );
}

/** Some of the values, changed. */
function changes(random: Random, defaults: object): object {
  const changed = Object.entries(defaults)
    .filter(() => random.chance(0.25))
    .map(([key, value]: [string, unknown]) => [key, change(random, value)]);
  return Object.fromEntries(changed) as object;
}

const oddValues = [
  null,
  '',
  'text',
  0,
  3,
  -1,
  2.5,
  1e21,
  true,
  false,
  [],
  ['a', { b: 1 }],
  {},
  { a: { b: 'c' } },
];

function change(random: Random, value: unknown): unknown {
  if (random.chance(0.03)) return random.pick(oddValues);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return random.pick([0, 1, 2, 30, value]);
  if (typeof value === 'string')
    return random.pick([value, 'quay.io/ocm/agent:v2', 'debug', 'YWJj', 'a: b', '100m', 'Detached', 'true']);
  if (Array.isArray(value))
    return random.pick<unknown>([[], value, ['a'], [{ key: 'a', operator: 'Exists' }]]);
  if (value === null || value === undefined) return random.pick(oddValues);
  return random.chance(0.2) ? { added: 'x' } : changes(random, value);
}
