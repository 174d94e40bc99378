import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { FieldPath, LoadedObject } from '../../src/compiler/index.ts';
import { readInputs } from '../../src/workspace/inputs/inputs.ts';
import { quietHost } from '../../src/workspace/host.ts';
import { folderWith, runIn } from '../cli/terminal.ts';

const searchPath = process.env['PATH'] ?? '';
beforeAll(() => {
  process.env['PATH'] = `${inject('tools')}${path.delimiter}${searchPath}`;
});
afterAll(() => {
  process.env['PATH'] = searchPath;
});

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: agent
  labels: { own: 'yes' }
spec:
  replicas: 1
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec:
      containers:
        - name: agent
          image: agent:1
          env:
            - { name: LEVEL, value: info }
            - { name: OTHER, value: kept }
`;

/** Returns the objects of the kustomization `top`, which uses `base`. */
async function built(files: Readonly<Record<string, string>>): Promise<readonly LoadedObject[]> {
  const cwd = await folderWith({
    'base/kustomization.yaml': 'resources: [agent.yaml]\n',
    'base/agent.yaml': deployment,
    ...files,
  });
  const { objects, diagnostics } = await readInputs(['top'], [], quietHost(cwd));
  expect(diagnostics).toEqual([]);
  return objects;
}

function where(object: LoadedObject | undefined, ...at: FieldPath): string {
  const location = object?.origin.locate(at);
  return location !== undefined && 'file' in location
    ? `${location.file}:${location.line}:${location.column}`
    : '';
}

const container: FieldPath = ['spec', 'template', 'spec', 'containers', 0];

describe('a value that a kustomization sets is located', () => {
  test('at the patch in a file, with entries of lists by their name', async () => {
    const [agent] = await built({
      'top/kustomization.yaml': 'resources: [../base]\npatches:\n  - path: level.yaml\n',
      'top/level.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: agent }
spec:
  template:
    spec:
      containers:
        - name: agent
          env:
            - name: NEW
              value: first
            - name: LEVEL
              value: trace
`,
    });
    const env = agent?.object as unknown as {
      spec: { template: { spec: { containers: [{ env: { name: string }[] }] } } };
    };
    const index = (name: string): number =>
      env.spec.template.spec.containers[0].env.findIndex((each) => each.name === name);
    expect(where(agent, ...container, 'env', index('LEVEL'), 'value')).toBe('top/level.yaml:13:15');
    expect(where(agent, ...container, 'env', index('NEW'), 'value')).toBe('top/level.yaml:11:15');
    expect(where(agent, ...container, 'env', index('OTHER'), 'value')).toBe('base/agent.yaml:17:30');
    expect(where(agent, ...container, 'image')).toBe('base/agent.yaml:14:11');
    expect(where(agent)).toBe('base/agent.yaml:1:1');
  });

  test('at the line of a patch in the kustomization: strategic merge and JSON 6902', async () => {
    const [agent] = await built({
      'top/kustomization.yaml': `resources: [../base]
patches:
  - target: { kind: Deployment, name: ag.* }
    patch: |-
      - op: replace
        path: /spec/replicas
        value: 3
      - op: add
        path: /spec/template/spec/containers/0/env/-
        value: { name: LAST, value: z }
  - patch: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: agent }
      spec:
        paused: true
`,
    });
    expect(where(agent, 'spec', 'replicas')).toBe('top/kustomization.yaml:7:9');
    expect(where(agent, 'spec', 'paused')).toBe('top/kustomization.yaml:16:9');
    expect(where(agent, ...container, 'env', 2, 'value')).toBe('top/kustomization.yaml:10:30');
  });

  test('at the deprecated fields of patches, and at a file of JSON', async () => {
    const [agent] = await built({
      'top/kustomization.yaml': `resources: [../base]
patchesStrategicMerge: [merge.yaml]
patchesJson6902:
  - target: { version: v1, kind: Deployment, name: agent }
    path: patch.json
`,
      'top/merge.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: agent }\nspec: { minReadySeconds: 5 }\n',
      'top/patch.json': '[\n  { "op": "replace", "path": "/spec/replicas", "value": 7 }\n]\n',
    });
    expect(where(agent, 'spec', 'minReadySeconds')).toBe('top/merge.yaml:4:9');
    expect(where(agent, 'spec', 'replicas')).toBe('top/patch.json:2:48');
  });

  test('at images, replicas, labels, annotations, namespace, prefix and suffix', async () => {
    const [agent] = await built({
      'top/kustomization.yaml': `resources: [../middle]
namespace: prod
namePrefix: eu-
images:
  - name: agent
    newName: mirror/agent
    newTag: "2"
replicas:
  - name: agent
    count: 4
`,
      'middle/kustomization.yaml': `resources: [../base]
nameSuffix: -x
labels:
  - pairs: { team: one }
commonAnnotations:
  note: here
`,
    });
    expect(agent?.object.metadata?.name).toBe('eu-agent-x');
    expect(where(agent, 'metadata', 'namespace')).toBe('top/kustomization.yaml:2:1');
    expect(where(agent, 'metadata', 'name')).toBe('top/kustomization.yaml:3:1');
    expect(where(agent, ...container, 'image')).toBe('top/kustomization.yaml:7:5');
    expect(where(agent, 'spec', 'replicas')).toBe('top/kustomization.yaml:10:5');
    expect(where(agent, 'metadata', 'labels', 'team')).toBe('middle/kustomization.yaml:4:14');
    expect(where(agent, 'metadata', 'annotations', 'note')).toBe('middle/kustomization.yaml:6:3');
    expect(where(agent, 'metadata', 'labels', 'own')).toBe('base/agent.yaml:5:13');
  });

  test('at the target of a replacement, and at the literals and files of generators', async () => {
    const objects = await built({
      'top/kustomization.yaml': `resources: [../base]
configMapGenerator:
  - name: settings
    literals:
      - level=debug
    files:
      - rules.txt
      - named=other.txt
replacements:
  - source: { kind: ConfigMap, name: settings, fieldPath: data.level }
    targets:
      - select: { kind: Deployment }
        fieldPaths:
          - spec.template.spec.containers.[name=agent].env.[name=LEVEL].value
`,
      'top/rules.txt': 'a\n',
      'top/other.txt': 'b\n',
    });
    const agent = objects.find(({ object }) => object.kind === 'Deployment');
    const settings = objects.find(({ object }) => object.kind === 'ConfigMap');
    expect(where(agent, ...container, 'env', 0, 'value')).toBe('top/kustomization.yaml:14:13');
    expect(where(settings)).toBe('top/kustomization.yaml:3:5');
    expect(where(settings, 'data', 'level')).toBe('top/kustomization.yaml:5:9');
    expect(where(settings, 'data', 'rules.txt')).toBe('top/rules.txt:1:1');
    expect(where(settings, 'data', 'named')).toBe('top/other.txt:1:1');
  });

  test('at the patch of a component', async () => {
    const [agent] = await built({
      'top/kustomization.yaml': 'resources: [../base]\ncomponents: [../part]\n',
      'part/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{ path: p.yaml }]\n',
      'part/p.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: agent }\nspec: { replicas: 9 }\n',
    });
    expect(where(agent, 'spec', 'replicas')).toBe('part/p.yaml:4:9');
  });
});

describe('findings about objects that kustomize changed', () => {
  const addOn = (name: string): string => `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata:
  name: ${name}
  annotations: { addon.open-cluster-management.io/lifecycle: addon-manager }
spec:
  installStrategy:
    type: Placements
    placements: [{ name: all, namespace: p }]
`;

  test('report the namespace of cluster-scoped objects once, without a remedy that does not exist (FW2020)', async () => {
    const cwd = await folderWith({
      'apps/p/kustomization.yaml': 'resources: [a.yaml, b.yaml]\nnamespace: p\n',
      'apps/p/a.yaml': addOn('one'),
      'apps/p/b.yaml': addOn('two'),
    });
    for (const commandLine of [['synth'], ['validate', 'apps/p']]) {
      const { err } = await runIn(cwd, commandLine);
      expect(err.match(/FW2020/g)).toHaveLength(1);
      expect(err)
        .toContain(`info FW2020: the hub drops the namespace that kustomize adds to cluster-scoped objects: ClusterManagementAddOn one, ClusterManagementAddOn two
 --> apps/p/kustomization.yaml:2:1
`);
      expect(err).not.toContain('remove the namespace');
    }
  });

  test('name the field that changed a name or a namespace', async () => {
    const cwd = await folderWith({
      'in/kustomization.yaml': 'resources: [a.yaml]\nnamePrefix: eu-\nnamespace: prod\n',
      'in/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, labels: { "bad label": x } }\n',
    });
    const { err } = await runIn(cwd, ['validate', 'in']);
    expect(err).toContain(' --> in/a.yaml:3:');
    expect(err).toContain('see: kustomize sets metadata.namespace, in/kustomization.yaml:3:1');
    expect(err).toContain('see: kustomize sets metadata.name, in/kustomization.yaml:2:1');
  });
});
