// Measures the import of 500, 1,000 and 5,000 Placements, templates of as many manifests, and templates of large
// CRDs: processor time of reading the YAML and of writing the app, and how it grows from step to step.
//   node --import tsx bench/import.ts
import * as plus from 'cdk8s-plus-27';
import { parseAllDocuments, stringify } from 'yaml';
import { byFloor, readingFloor } from './floor.ts';
import { ConstructSynthesizer } from '../src/workspace/construct-synthesizer.ts';
import { hasErrors } from '../src/compiler/model/diagnostic.ts';
import { importObjects } from '../src/importer/import-objects.ts';
import { load } from '../src/compiler/load/load.ts';
import type { JsonMap } from '../src/base/json/json-map.ts';

function placement(index: number): object {
  const number = String(index);
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata: { name: `placement${number}`, namespace: `team${index % 10}` },
    spec: {
      clusterSets: [`set${index % 7}`],
      predicates: [
        { requiredClusterSelector: { labelSelector: { matchLabels: { env: 'prod', cell: number } } } },
      ],
      tolerations: [{ key: 'cluster.open-cluster-management.io/unreachable', operator: 'Exists' }],
    },
  };
}

function template(manifests: readonly object[]): object {
  return {
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'AddOnTemplate',
    metadata: { name: 'agents' },
    spec: { addonName: 'agents', agentSpec: { workload: { manifests } } },
  };
}

/** Returns one of three manifests. The last one refers to the others. */
function manifest(index: number): object {
  const number = String(Math.floor(index / 3));
  const metadata = { name: `agent${number}`, namespace: 'agents' };
  const labels = { app: `agent${number}` };
  if (index % 3 === 0) return { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
  if (index % 3 === 1)
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { cluster: '{{CLUSTER_NAME}}' } };
  const container = {
    name: 'agent',
    image: 'quay.io/example/agent',
    envFrom: [{ configMapRef: { name: metadata.name } }],
  };
  const pod = { serviceAccountName: metadata.name, containers: [container] };
  const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec };
}

/** Returns a definition of about 25 kB. */
function definition(index: number): object {
  const fields = (depth: number): JsonMap => ({
    type: 'object',
    description: 'What the field is for, in a sentence as long as those of Kubernetes are.',
    properties: Object.fromEntries(
      Array.from({ length: 5 }, (_, field) => [
        `field${field}`,
        depth === 0 ? { type: 'string', description: 'A text.' } : fields(depth - 1),
      ]),
    ),
  });
  const [plural, group] = [`things${index}`, 'example.com'];
  const schema = { openAPIV3Schema: fields(2) };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: `Thing${index}` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const text = (objects: readonly object[]): string =>
  objects.map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\n');

const inputs: Readonly<Record<string, readonly (readonly [count: number, text: string])[]>> = {
  Placements: [500, 1_000, 5_000].map((count) => [count, text(numbers(count).map(placement))]),
  'manifests of a template': [500, 1_000, 5_000].map((count) => [
    count,
    text([template(numbers(count).map(manifest))]),
  ]),
  'definitions in a template': [15, 30, 150].map((count) => [
    count,
    text([template(numbers(count).map(definition))]),
  ]),
};

/** Returns processor time in milliseconds: other programs on the machine affect it less than wall-clock time. */
function measured(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function measure(yaml: string): { readonly read: number; readonly write: number } {
  const file = 'input.yaml';
  let loaded = load([]);
  const read = measured(() => (loaded = load([{ file, text: yaml, source: 'app' }])));
  const write = measured(() => {
    const { value, diagnostics } = importObjects(
      loaded.value,
      [{ file, text: yaml }],
      new ConstructSynthesizer(plus),
    );
    if (value === undefined || value.asYaml > 0 || hasErrors(diagnostics))
      throw new Error(`the input is wrong: ${JSON.stringify(diagnostics[0])}`);
  });
  return { read, write };
}

const widths = [28, 8, 9, 10, 10, 8, 10];
const print = (cells: readonly (string | number)[]): void => {
  const padded = cells.map((cell, index) => String(cell).padStart(index === 0 ? 0 : (widths[index] ?? 0)));
  process.stdout.write(`${(padded[0] ?? '').padEnd(widths[0] ?? 0)}${padded.slice(1).join('')}\n`);
};

measure(text(numbers(100).map(placement)));
print(['', 'count', 'kB', 'read', 'write', 'growth', 'by floor']);
for (const [what, sizes] of Object.entries(inputs)) {
  let before: number | undefined;
  for (const [count, yaml] of sizes) {
    const { read, write } = measure(yaml);
    const cells = [
      what,
      count,
      (yaml.length / 1000).toFixed(0),
      `${read.toFixed(0)} ms`,
      `${write.toFixed(0)} ms`,
    ];
    const objects = parseAllDocuments(yaml).map((document) => document.toJS() as unknown);
    const floor = readingFloor(objects);
    print([
      ...cells,
      before === undefined ? '' : `x${(write / before).toFixed(1)}`,
      byFloor(read + write, floor),
    ]);
    before = write;
  }
}
