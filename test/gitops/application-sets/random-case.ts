import { Seeded } from '../../../src/compiler/verify/seeded.ts';
import {
  applicationSet,
  gitOpsCluster,
  placement,
  setBinding,
} from '../../compiler/application-sets/generated.ts';

/** A fleet with clusters in Argo CD, and ApplicationSets. */
export interface RandomCase {
  readonly name: string;
  readonly fleet: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Placements, a GitOpsCluster and Secrets of clusters. */
  readonly objects: readonly string[];
  /** The files of the repository that git generators name `repositoryUrl`, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** By name. */
  readonly sets: ReadonlyMap<string, string>;
}

/** The URL of the repository of a case, until it is published. */
export const repositoryUrl = 'https://git.example.com/fleet.git';

/** Returns a case that a seed repeats. Names of Applications have a prefix of the seed. */
export function randomCase(seed: number, sets: number): RandomCase {
  const random = new Seeded(seed);
  const clusters = Array.from({ length: random.between(2, 6) }, (_, index) => `c${index + 1}`);
  const fleet = Object.fromEntries(
    clusters.map((name) => [
      name,
      {
        ring: random.pick(['1', '2'], '1'),
        ...(random.chance(0.5) && { 'example.com/zone': random.pick(['eu-1', 'us_2'], '') }),
      },
    ]),
  );
  const registered = gitOpsCluster(
    random.chance(0.8) ? 'all' : 'ring-1',
    random.chance(0.7)
      ? { createBlankClusterSecrets: true }
      : { managedServiceAccountRef: 'argo', createBlankClusterSecrets: false },
  );
  const secrets = random.chance(0.4) ? [clusterSecret(random)] : [];
  const names = Array.from({ length: sets }, (_, index) => `s${seed}-${index}`);
  const files = repositoryFiles(random, clusters);
  return {
    name: `case-${seed}`,
    fleet,
    files,
    objects: [
      setBinding,
      placement('all', {}),
      placement('ring-1', { ring: '1' }),
      placement('none', { ring: 'none' }),
      registered,
      ...secrets,
    ],
    sets: new Map(
      names.map((name) => [name, applicationSet(new RandomSet(random, `${name}-`, clusters).spec(), name)]),
    ),
  };
}

/** Folders of apps and files with parameters, some of them in places and forms that generators treat in their own way. */
function repositoryFiles(random: Seeded, clusters: readonly string[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>([['README.md', 'The fleet.']]);
  for (const app of random.sample(['a', 'b', 'Big_App', '.hidden', 'sub/deep'], 3)) {
    files.set(`apps/${app}/kustomization.yaml`, 'resources: []');
    if (random.chance(0.3)) files.set(`apps/${app}/base/app.yaml`, '{}');
  }
  for (const cluster of clusters) {
    const parameters = {
      name: cluster,
      app: random.pick(['a', 'b'], 'a'),
      values: { a: random.pick(['x', 'y'], 'x') },
      ...(random.chance(0.3) && { count: random.pick([1, 2.5, 1e7], 1), nested: { list: [1, 'b', true] } }),
    };
    const isList = random.chance(0.2);
    const text = random.pick(
      [
        JSON.stringify(isList ? [parameters, { ...parameters, app: 'd' }] : parameters),
        `# of ${cluster}\nname: ${cluster}\napp: 'a'\nvalues: { a: x }\n`,
      ],
      '',
    );
    files.set(
      `clusters/${random.pick(['eu', 'us', 'eu/west'], 'eu')}/${cluster}.${random.pick(['yaml', 'json'], 'yaml')}`,
      text,
    );
  }
  if (random.chance(0.1)) files.set('clusters/eu/empty.yaml', '');
  if (random.chance(0.05)) files.set('clusters/eu/text.yaml', 'only a text');
  return files;
}

function clusterSecret(random: Seeded): string {
  const isLocal = random.chance(0.3);
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'written',
      namespace: 'argocd',
      labels: { 'argocd.argoproj.io/secret-type': 'cluster', ring: '2' },
      annotations: { 'example.com/owner': 'team a', 'argocd.argoproj.io/refresh': 'hard' },
    },
    stringData: {
      name: isLocal ? 'hub' : 'Edge_1.x',
      server: isLocal ? 'https://kubernetes.default.svc' : 'https://edge.example.com:6443/',
      ...(random.chance(0.5) && { project: 'default' }),
    },
  });
}

/** One random ApplicationSet. */
class RandomSet {
  readonly #random: Seeded;
  readonly #prefix: string;
  readonly #clusters: readonly string[];
  readonly #usesGo: boolean;

  constructor(random: Seeded, prefix: string, clusters: readonly string[]) {
    this.#random = random;
    this.#prefix = prefix;
    this.#clusters = clusters;
    this.#usesGo = random.chance(0.5);
  }

  spec(): object {
    const random = this.#random;
    return {
      ...(this.#usesGo && { goTemplate: true }),
      ...(this.#usesGo &&
        random.chance(0.4) && {
          goTemplateOptions: [random.pick(['missingkey=error', 'missingkey=zero', 'missingkey=default'], '')],
        }),
      generators: this.#list(1, 2, () => this.#generator(0)),
      template: this.#template(),
      ...(random.chance(0.3) && {
        syncPolicy: { preserveResourcesOnDeletion: random.chance(0.7) },
      }),
      ...(random.chance(0.25) && { templatePatch: this.#patch() }),
    };
  }

  #generator(depth: number): object {
    const random = this.#random;
    const kinds = ['decided', 'decided', 'clusters', 'clusters', 'list', 'git'];
    if (depth < 2) kinds.push('matrix', 'merge', ...(depth === 0 ? ['matrix', 'merge'] : []));
    const generator = ((): object => {
      switch (random.pick(kinds, 'list')) {
        case 'decided':
          return { clusterDecisionResource: this.#decided(depth) };
        case 'clusters':
          return { clusters: this.#ofClusters(depth) };
        case 'git':
          return { git: this.#git(depth) };
        case 'matrix':
          return {
            matrix: {
              generators: [
                this.#generator(depth + 1),
                random.chance(0.5) ? this.#addedList() : this.#generator(depth + 1),
              ],
            },
          };
        case 'merge':
          return {
            merge: {
              mergeKeys: [random.pick(['name', 'server', 'values.a'], 'name')],
              generators: this.#list(2, 3, () => this.#generator(depth + 1)),
            },
          };
        default:
          return { list: this.#elements(depth) };
      }
    })();
    return random.chance(0.2) ? { ...generator, selector: this.#selector() } : generator;
  }

  #decided(depth: number): object {
    const random = this.#random;
    const name = random.chance(0.05)
      ? 'missing'
      : random.pick(['all', 'all', 'ring-1', 'ring-1', 'none'], 'all');
    const key = 'cluster.open-cluster-management.io/placement';
    const labelSelector = random.chance(0.8)
      ? { matchLabels: { [key]: name } }
      : { matchExpressions: [{ key, operator: 'In', values: random.sample(['ring-1', 'none', 'all'], 2) }] };
    return {
      configMapRef: 'acm-placement',
      ...(random.chance(0.85) ? { labelSelector } : { name: `${name}-decision-1` }),
      requeueAfterSeconds: 1,
      ...(random.chance(0.4) && { values: { a: this.#text(), b: 'fixed' } }),
      ...this.#ownTemplate(depth),
    };
  }

  #ofClusters(depth: number): object {
    const random = this.#random;
    const selectors = [
      {},
      { matchLabels: { ring: '1' } },
      { matchExpressions: [{ key: 'example.com/zone', operator: 'Exists' }] },
      { matchExpressions: [{ key: 'ring', operator: 'NotIn', values: ['2'] }] },
    ];
    return {
      ...(random.chance(0.8) && { selector: random.pick(selectors, {}) }),
      ...(random.chance(0.4) && { values: { a: this.#text(), c: this.#text() } }),
      ...(random.chance(0.08) && { flatList: true }),
      ...this.#ownTemplate(depth),
    };
  }

  #elements(depth: number): object {
    const random = this.#random;
    const element = (): object => ({
      ...(random.chance(0.95) && { name: random.pick(this.#clusters, 'c1') }),
      ...(random.chance(0.4) && { app: random.pick(['a', 'b'], 'a') }),
      // With both, Argo CD takes either of them.
      ...random.pick<object>(
        [{ values: { a: random.pick(['x', 'y'], 'x') } }, { 'values.a': 'z' }, {}, {}],
        {},
      ),
      ...(this.#usesGo &&
        random.chance(0.3) && { count: random.pick([1, 2.5, 1e7], 1), nested: { list: [1, 'b', true] } }),
    });
    const elements = this.#list(0, 3, element);
    return random.chance(0.85)
      ? { elements, ...this.#ownTemplate(depth) }
      : { elements: [], elementsYaml: JSON.stringify(elements) };
  }

  #git(depth: number): object {
    const random = this.#random;
    const folders = [
      [{ path: 'apps/*' }],
      [{ path: 'apps/*' }, { path: 'apps/b', exclude: true }],
      [{ path: '**' }],
      [{ path: 'apps/*/*' }],
      [{ path: 'clusters/e?' }],
    ];
    const files = [
      [{ path: 'clusters/**' }],
      [{ path: 'clusters/**/*.yaml' }],
      [{ path: 'clusters/*/*.json' }],
      [{ path: 'clusters/*' }, { path: 'clusters/us/**', exclude: true }],
      [{ path: `clusters/eu/${this.#clusters[0] ?? ''}.yaml` }],
    ];
    return {
      repoURL: repositoryUrl,
      revision: random.pick(['HEAD', 'main', 'refs/heads/main'], 'HEAD'),
      ...(random.chance(0.35)
        ? { directories: random.pick(folders, []) }
        : { files: random.pick(files, []) }),
      ...(random.chance(0.15) && { pathParamPrefix: 'from' }),
      ...(random.chance(0.3) && { values: { b: random.pick(['fixed', this.#tag('name')], '') } }),
      ...this.#ownTemplate(depth),
    };
  }

  /** A list that adds to the parameters of the first generator of a matrix. */
  #addedList(): object {
    return {
      list: {
        elements: this.#list(1, 3, () => ({
          app: this.#random.pick(['a', 'b', 'd'], 'a'),
          from: this.#text(),
        })),
      },
    };
  }

  #selector(): object {
    const random = this.#random;
    return random.pick<object>(
      [
        { matchLabels: { name: 'c1' } },
        { matchLabels: { 'metadata.labels.ring': '1' } },
        { matchExpressions: [{ key: 'app', operator: random.pick(['Exists', 'DoesNotExist'], 'Exists') }] },
        {
          matchExpressions: [
            { key: 'values.a', operator: random.pick(['In', 'NotIn'], 'In'), values: ['x', 'z'] },
          ],
        },
        {},
      ],
      {},
    );
  }

  #ownTemplate(depth: number): object {
    if (depth > 0 || !this.#random.chance(0.15)) return {};
    return {
      template: {
        metadata: { labels: { own: 'yes' } },
        spec: {
          project: '',
          source: { repoURL: '', targetRevision: 'own' },
          destination: { namespace: 'own' },
        },
      },
    };
  }

  #template(): object {
    const random = this.#random;
    const name = this.#prefix + [this.#tag('name'), ...this.#list(0, 1, () => this.#text())].join('-');
    const destination = random.pick<object>(
      [
        ...Array.from({ length: 5 }, () => ({ name: this.#tag('name') })),
        { server: this.#tag('server') },
        { server: this.#tag('server') },
        { name: 'c1' },
        { server: 'https://kubernetes.default.svc' },
        ...(random.chance(0.2) ? [{}] : []),
      ],
      {},
    );
    return {
      metadata: {
        name,
        ...(random.chance(0.3) && {
          labels: { ring: 'r', [random.chance(0.5) ? `k-${this.#tag('name')}` : 'k']: 'v' },
        }),
        ...(random.chance(0.3) && { annotations: { note: this.#text() } }),
        ...(random.chance(0.2) && {
          finalizers: random.sample(
            ['resources-finalizer.argocd.argoproj.io/background', 'example.com/mine'],
            random.between(0, 2),
          ),
        }),
      },
      spec: {
        project: random.chance(0.98) ? 'default' : '',
        source: {
          repoURL: 'https://git.example.com/apps.git',
          targetRevision: random.chance(0.3) ? '' : this.#text(),
          path: `apps/${this.#text()}`,
          ...(random.chance(0.3) && {
            helm: random.pick<object>(
              [
                {},
                { releaseName: this.#text() },
                { valuesObject: { replicas: 2, cluster: this.#text(), list: ['a', this.#text()] } },
                { parameters: [{ name: 'cluster', value: this.#text() }] },
              ],
              {},
            ),
          }),
        },
        destination: { namespace: 'apps', ...destination },
        ...(random.chance(0.3) && {
          syncPolicy: random.pick<object>(
            [
              {},
              { automated: {} },
              { automated: { prune: true, selfHeal: false }, syncOptions: ['CreateNamespace=true'] },
              { syncOptions: [] },
            ],
            {},
          ),
        }),
      },
    };
  }

  #patch(): string {
    const random = this.#random;
    return random.pick(
      [
        `metadata: { labels: { patched: '${this.#usesGo ? '{{ .name }}' : '{{name}}'}' } }\n`,
        'metadata: { finalizers: [example.com/patched] }\nspec: { project: other, source: { targetRevision: patched } }\n',
        '{"spec": {"source": {"helm": {"valuesObject": {"replicas": 3, "more": {"a": 1}}}}}}',
        'spec: { source: { helm: { parameters: [{ name: p, value: v }] } }, destination: { namespace: null } }\n',
        ...(this.#usesGo
          ? ['{{- if eq .name "c1" }}\nspec: { syncPolicy: { automated: { prune: true } } }\n{{- end }}\n']
          : []),
      ],
      '',
    );
  }

  /** A text with parameters. Most cases have the name of a cluster, because errors hide everything else. */
  #text(): string {
    const random = this.#random;
    if (random.chance(0.6)) return this.#tag('name');
    const plain = [
      'name',
      'name',
      'nameNormalized',
      'app',
      'clusterName',
      'values.a',
      'values.b',
      'metadata.labels.ring',
      'path.basename',
    ];
    if (!this.#usesGo || random.chance(0.5))
      return random.chance(0.15) ? 'plain' : this.#tag(random.pick(plain, 'name'));
    return random.pick(
      [
        '{{ .name | upper | lower }}',
        '{{ normalize .name }}',
        '{{ slugify 8 true .name }}',
        '{{ slugify .name }}',
        '{{ default "none" .app }}',
        '{{ if eq .name "c1" }}one{{ else }}other{{ end }}',
        '{{ index .metadata.labels "example.com/zone" }}',
        '{{ .count }}',
        '{{ toJson .nested | trunc 8 | replace "\\"" "" }}',
        '{{ dig "values" "a" "none" . }}',
        '{{ (fromYaml "a: b").a }}',
        '{{ range $i, $c := .clusters }}{{ $c.name }}{{ end }}x',
      ],
      '',
    );
  }

  #tag(name: string): string {
    if (this.#usesGo) return `{{ .${name} }}`;
    return this.#random.chance(0.2) ? `{{ ${name} }}` : `{{${name}}}`;
  }

  #list<T>(low: number, high: number, item: () => T): T[] {
    return Array.from({ length: this.#random.between(low, high) }, item);
  }
}
