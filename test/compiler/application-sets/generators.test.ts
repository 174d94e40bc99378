import { describe, expect, test } from 'vitest';
import { ApplicationGenerator } from '../../../src/compiler/application-sets/generate-applications.ts';
import { keyOfParameters, textMap } from '../../../src/compiler/application-sets/parameters.ts';
import { Integer, TypedList, type Value } from '../../../src/engines/gotemplate/index.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import {
  applicationSet,
  decided,
  generationOf,
  gitOpsCluster,
  namesOf,
  placement,
  rings,
  setBinding,
  template,
} from './generated.ts';

const names = (spec: object, ...objects: readonly string[]): readonly string[] =>
  namesOf(generationOf([applicationSet(spec), ...objects]));

const generated = (generators: readonly object[], name = 'app-{{name}}', more: object = {}) =>
  names({ generators, template: template(name), ...more }, gitOpsCluster('all'));

describe('clusterDecisionResource', () => {
  test('generates one Application for each decided cluster', () => {
    expect(generated([decided('ring-1')])).toEqual(['app-c1 on c1', 'app-c7 on c7']);
  });

  test('skips clusters that Argo CD does not know', () => {
    const spec = { generators: [decided('all')], template: template('app-{{name}}') };
    expect(names(spec, gitOpsCluster('ring-1'))).toEqual(['app-c1 on c1', 'app-c7 on c7']);
  });

  test('is an error if no PlacementDecision matches, so that Applications stay', () => {
    expect(generated([decided('missing')])).toEqual(['error: no clusterDecisionResources found']);
  });

  test('takes decisions by name', () => {
    const generator = {
      clusterDecisionResource: { configMapRef: 'acm-placement', name: 'ring-1-decision-1' },
    };
    expect(generated([generator])).toEqual(['app-c1 on c1', 'app-c7 on c7']);
  });

  test('reads the ConfigMap of the generator', () => {
    const config = (data: object): string =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'acm-placement', namespace: 'argocd' },
        data,
      });
    const spec = { generators: [decided('ring-1')], template: template('app-{{name}}') };
    const of = (data: object): readonly string[] =>
      names(
        spec,
        gitOpsCluster('all'),
        config({ apiVersion: 'cluster.open-cluster-management.io/v1beta1', ...data }),
      );
    expect(
      of({ kind: 'placementdecisions', statusListKey: 'decisions', matchKey: 'clusterName' }),
    ).toHaveLength(2);
    expect(of({ kind: 'placementdecisions', statusListKey: 'decisions' })).toEqual([]);
    expect(of({ kind: 'placementdecisions', matchKey: 'clusterName' })).toEqual([
      'error: PlacementDecisions have no status.clusters',
    ]);
    expect(of({ kind: 'placementrules', statusListKey: 'decisions', matchKey: 'clusterName' })).toEqual([
      'unanswered: the clusterDecisionResource generator of PlacementRules',
    ]);
  });

  test('has values, in which no parameter is replaced', () => {
    const generator = decided('ring-1', { values: { tier: 'gold-{{name}}' } });
    expect(generated([generator], '{{name}}-{{values.tier}}')).toEqual([
      'invalid c1-gold-{{name}}: the API server rejects its name or labels',
      'invalid c7-gold-{{name}}: the API server rejects its name or labels',
    ]);
  });
});

describe('clusters', () => {
  test('generates one Application for each cluster, and one for the cluster of Argo CD', () => {
    expect(generated([{ clusters: {} }])).toEqual([
      'app-c1 on c1',
      'app-c2 on c2',
      'app-c7 on c7',
      'app-in-cluster on in-cluster',
    ]);
  });

  test('selects by the labels that GitOpsCluster copies from the ManagedCluster', () => {
    const generator = {
      clusters: { selector: { matchLabels: { ring: '2' } }, values: { to: '{{server}}' } },
    };
    expect(generated([generator], '{{metadata.labels.ring}}-{{nameNormalized}}')).toEqual(['2-c2 on c2']);
    expect(generated([generator], '{{values.to}}')).toEqual([
      'invalid https://c2-control-plane: the API server rejects its name or labels',
    ]);
  });

  test('is one Application with a flat list', () => {
    const spec = {
      goTemplate: true,
      generators: [{ clusters: { flatList: true, selector: { matchLabels: { ring: '1' } } } }],
      template: {
        metadata: { name: '{{ range .clusters }}{{ .name }}-{{ end }}x' },
        spec: { project: 'default', destination: { name: 'in-cluster' } },
      },
    };
    expect(names(spec, gitOpsCluster('all'))).toEqual(['c1-c7-x on in-cluster']);
  });

  test('reads Secrets of the inputs', () => {
    const secret = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'edge',
        namespace: 'argocd',
        labels: { 'argocd.argoproj.io/secret-type': 'cluster', ring: '9' },
      },
      data: { name: Buffer.from('edge').toString('base64') },
      stringData: { server: 'https://edge.example.com/' },
    });
    const generator = { clusters: { selector: { matchLabels: { ring: '9' } } } };
    const spec = {
      generators: [generator],
      template: template('{{name}}', { destination: { server: 'https://edge.example.com' } }),
    };
    expect(names(spec, secret)).toEqual(['edge on edge']);
  });
});

describe('list, matrix and merge', () => {
  const list = (...elements: readonly object[]): object => ({ list: { elements } });

  test('a list generates from its elements, and from YAML', () => {
    expect(generated([list({ name: 'c1' })])).toEqual(['app-c1 on c1']);
    expect(generated([{ list: { elementsYaml: '- name: c2\n' } }])).toEqual(['app-c2 on c2']);
    expect(generated([list({ name: 1 })])).toEqual(['error: error parsing value as string']);
  });

  test('a matrix combines two generators, and the second one can use the first', () => {
    const matrix = {
      matrix: { generators: [decided('ring-1'), list({ app: 'a', at: '{{name}}' }, { app: 'b' })] },
    };
    expect(generated([matrix], '{{app}}-{{name}}{{at}}')).toEqual([
      'a-c1c1 on c1',
      'a-c7c7 on c7',
      'invalid b-c1{{at}}: the API server rejects its name or labels',
      'invalid b-c7{{at}}: the API server rejects its name or labels',
    ]);
  });

  test('the second generator of a matrix cannot name a decision', () => {
    const named = { clusterDecisionResource: { configMapRef: 'acm-placement', name: 'ring-1-decision-1' } };
    const matrix = { matrix: { generators: [list({ app: 'a' }), named] } };
    expect(generated([matrix])).toEqual([
      'error: there is a problem with the definition of the ClusterDecisionResource generator',
    ]);
  });

  test('a matrix rejects different values of one parameter', () => {
    const matrix = { matrix: { generators: [decided('ring-1'), list({ name: 'x' })] } };
    expect(generated([matrix])).toEqual([
      'error: found duplicate key name with different value, a: c1 ,b: x',
    ]);
  });

  test('the first generator of a matrix wins with Go templates', () => {
    const matrix = { matrix: { generators: [decided('ring-1'), list({ name: 'x', app: 'a' })] } };
    expect(
      names(
        {
          goTemplate: true,
          generators: [matrix],
          template: template('{{ .app }}-{{ .name }}', { destination: { name: '{{ .name }}' } }),
        },
        gitOpsCluster('all'),
      ),
    ).toEqual(['a-c1 on c1', 'a-c7 on c7']);
  });

  test('a merge overrides by keys', () => {
    const merge = {
      merge: {
        mergeKeys: ['name'],
        generators: [
          {
            clusters: {
              selector: { matchExpressions: [{ key: 'ring', operator: 'Exists' }] },
              values: { size: 's' },
            },
          },
          list({ name: 'c2', 'values.size': 'l' }, { name: 'other', 'values.size': 'x' }),
        ],
      },
    };
    expect(generated([merge], '{{name}}-{{values.size}}')).toEqual([
      'c1-s on c1',
      'c2-l on c2',
      'c7-s on c7',
    ]);
  });

  test('a selector filters parameters, which are texts without limits', () => {
    const generator = {
      ...decided('all'),
      selector: { matchLabels: { server: 'https://c2-control-plane' } },
    };
    expect(generated([generator])).toEqual(['app-c2 on c2']);
    const labels = {
      clusters: {},
      selector: { matchExpressions: [{ key: 'metadata.labels.ring', operator: 'In', values: ['1'] }] },
    };
    expect(generated([labels])).toEqual(['app-c1 on c1', 'app-c7 on c7']);
  });

  test('a generator that is not evaluated is named, also inside of others', () => {
    const git = { git: { repoURL: 'https://git.example.com/apps.git', directories: [{ path: '*' }] } };
    expect(generated([decided('ring-1'), git])).toEqual(['unanswered: the git generator']);
    expect(generated([{ matrix: { generators: [git, decided('ring-1')] } }])).toEqual([
      'unanswered: the git generator',
    ]);
    expect(generated([{ clusterz: {} }])).toEqual(['unanswered: the unknown generator "clusterz"']);
  });
});

test('names that several Applications have are neither created nor updated', () => {
  expect(generated([decided('ring-1')], 'same')).toEqual([
    'invalid same: several Applications have the name',
  ]);
});

test('without GitOpsCluster and Secrets, Argo CD is assumed to know the fleet', () => {
  const generation = generationOf([
    applicationSet({ generators: [decided('ring-1')], template: template('{{name}}') }),
  ]);
  expect(namesOf(generation)).toEqual(['c1 on c1', 'c7 on c7']);
  expect(generation.assumesClusters).toBe(true);
});

describe('states that are compared', () => {
  const resolutionWith = (fleet: Readonly<Record<string, Readonly<Record<string, string>>>>, set: string) =>
    resolveText([setBinding, placement('ring-1', { ring: '1' }), set].join('\n---\n'), {
      fleet: fleetOf(fleet),
    }).resolution;

  test('have the same Applications where parameters are the same', () => {
    const set = applicationSet({ generators: [decided('ring-1')], template: template('a-{{name}}') });
    const before = resolutionWith(rings, set);
    const { decisions } = resolutionWith({ ...rings, c2: { ring: '1' }, c7: { ring: '2' } }, set);
    const [from, to] = [before, { ...before, decisions }].map((inputs) => {
      const generator = new ApplicationGenerator(inputs);
      return generator.sets().flatMap((holder) => generator.generate(holder).applications);
    });
    expect(to?.map(({ name }) => name)).toEqual(['a-c1', 'a-c2']);
    expect(to?.[0]?.object).toBe(from?.[0]?.object);
  });

  test('do not see what the template of another ApplicationSet does to the parameters', () => {
    const destination = { name: '{{ .clusterName }}' };
    const changing = { metadata: { name: '{{ $_ := set . "name" "changed" }}one-{{.clusterName}}' } };
    const sets = [changing, { metadata: { name: 'two-{{ .name | lower }}' } }].map((each, index) =>
      applicationSet(
        {
          goTemplate: true,
          generators: [decided('ring-1')],
          template: { ...template('', { destination }), ...each },
        },
        `set-${index}`,
      ),
    );
    const generator = new ApplicationGenerator(resolutionWith(rings, sets.join('\n---\n')));
    const names = generator.sets().map((holder) => {
      const { applications, invalid } = generator.generate(holder);
      return [...applications.map(({ name }) => name), ...invalid.keys()];
    });
    expect(names[1]).toEqual(['two-c1', 'two-c7']);
  });
});

test('parameters have the same key only if they are equal', () => {
  const values: readonly Value[] = [
    'a',
    'ab',
    '1',
    1,
    12,
    0,
    -0,
    true,
    'true',
    null,
    [],
    [1, 23],
    [12, 3],
    ['1', '23'],
    new Map([['a', 'b']]),
    new Map([['a', new Map([['b', '']])]]),
    textMap([['a', 'b']]),
    new TypedList('[]string', [], false),
  ];
  const keys = values.map((value) => keyOfParameters(new Map([['k', value]])));
  expect(new Set(keys).size).toBe(values.length);
  expect(keyOfParameters(new Map())).not.toBe('');
  expect(keyOfParameters(new Map([['k', new Integer(1n)]]))).toBe('');
});
