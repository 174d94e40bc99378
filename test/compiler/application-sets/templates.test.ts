import { describe, expect, test } from 'vitest';
import { applicationSet, decided, generationOf, gitOpsCluster, namesOf, template } from './generated.ts';

const generation = (spec: object) => generationOf([applicationSet(spec), gitOpsCluster('all')]);

/** The first Application. */
const first = (spec: object): unknown => {
  const { applications, error, unanswered } = generation(spec);
  return applications[0]?.object ?? error ?? unanswered;
};

const go = (text: string, more: object = {}): readonly string[] =>
  namesOf(
    generation({
      goTemplate: true,
      generators: [{ clusters: { selector: { matchLabels: { ring: '2' } } } }],
      template: template(text, { destination: { name: '{{ .name }}' } }),
      ...more,
    }),
  );

describe('Go templates', () => {
  test('have the parameters, and the functions of sprig and Argo CD', () => {
    expect(go('{{ .metadata.labels.ring }}-{{ .name | upper | lower }}')).toEqual(['2-c2 on c2']);
    expect(go('{{ normalize "My_App.1-" }}')).toEqual(['my-app.1 on c2']);
    expect(go('{{ slugify 10 true "one two three" }}')).toEqual(['one-two on c2']);
    expect(go('{{ slugify 5 false "onetwothree" }}')).toEqual(['onetw on c2']);
    expect(go('{{ (fromYaml "a: b").a }}{{ index (fromYamlArray "[c]") 0 }}')).toEqual(['bc on c2']);
  });

  test('can be strict about missing keys', () => {
    expect(go('a{{ .missing }}')).toEqual(['invalid a<no value>: the API server rejects its name or labels']);
    expect(go('a{{ .missing }}', { goTemplateOptions: ['missingkey=error'] })[0]).toMatch(
      /^error: failed to execute go template a\{\{ \.missing \}\}: template: base:1:4: .* map has no entry for key "missing"$/,
    );
    expect(go('a', { goTemplateOptions: ['missingkey=none'] })).toEqual([
      'error: unrecognized option of Go templates: missingkey=none',
    ]);
  });

  test('have no functions of Helm or of the environment', () => {
    for (const name of ['tpl', 'include', 'env'])
      expect(go(`{{ ${name} "a" . }}`)[0]).toContain(`function "${name}" not defined`);
  });

  test('with random results are not evaluated', () => {
    expect(go('{{ randAlpha 5 }}')[0]).toMatch(/^unanswered: a template \(.*its result is random/);
  });
});

describe('a template', () => {
  const generators = [decided('ring-1')];

  test('gets the finalizer that deletes resources, unless they are preserved', () => {
    const finalizers = ['resources-finalizer.argocd.argoproj.io'];
    expect(first({ generators, template: template('{{name}}') })).toEqual({
      metadata: { name: 'c1', finalizers },
      spec: {
        project: 'default',
        source: { repoURL: 'https://git.example.com/apps.git', path: 'c1', targetRevision: 'main' },
        destination: { name: 'c1', namespace: 'apps' },
      },
    });
    const preserved = { syncPolicy: { preserveResourcesOnDeletion: true } };
    expect(first({ generators, template: template('{{name}}'), ...preserved })).toMatchObject({
      metadata: { name: 'c1' },
    });
    expect(JSON.stringify(first({ generators, template: template('{{name}}'), ...preserved }))).not.toContain(
      'finalizer',
    );
  });

  test('of a generator wins, field by field', () => {
    const [generator] = generators;
    const own = { spec: { source: { targetRevision: 'next' }, destination: {} } };
    const decision = (generator as Record<string, object>)['clusterDecisionResource'];
    const merged = { clusterDecisionResource: { ...decision, template: own } };
    expect(first({ generators: [merged], template: template('{{name}}') })).toMatchObject({
      spec: {
        source: { path: 'c1', targetRevision: 'next' },
        destination: { name: 'c1', namespace: 'apps' },
      },
    });
  });

  test('is patched, except its project', () => {
    const templatePatch = `metadata:
  labels: { cluster: '{{name}}' }
  finalizers: [mine]
spec:
  project: other
  source: { path: null, helm: { valuesObject: { a: 1 } } }
`;
    expect(first({ generators, template: template('{{name}}'), templatePatch })).toEqual({
      metadata: {
        name: 'c1',
        labels: { cluster: 'c1' },
        finalizers: ['mine', 'resources-finalizer.argocd.argoproj.io'],
      },
      spec: {
        project: 'default',
        source: {
          repoURL: 'https://git.example.com/apps.git',
          targetRevision: 'main',
          helm: { valuesObject: { a: 1 } },
        },
        destination: { name: 'c1', namespace: 'apps' },
      },
    });
  });

  test('keeps tags that no parameter has', () => {
    expect(namesOf(generation({ generators, template: template('{{ name }}-{{other}}') }))).toEqual([
      'invalid c1-{{other}}: the API server rejects its name or labels',
      'invalid c7-{{other}}: the API server rejects its name or labels',
    ]);
    expect(namesOf(generation({ generators, template: template('{{name}}{{') }))[0]).toContain(
      'error: invalid template: Cannot find end tag',
    );
  });

  test.each([
    ['multicloud-integrations', 'apps.open-cluster-management.io'],
    ['argocd-pull-integration', 'argocd.argoproj.io'],
  ])('of the pull model of %s deploys to the cluster that the annotation names', (_controller, prefix) => {
    const pulled = {
      metadata: {
        name: '{{name}}-app',
        labels: { [`${prefix}/pull-to-ocm-managed-cluster`]: 'true' },
        annotations: { [`${prefix}/ocm-managed-cluster`]: '{{name}}' },
      },
      spec: { project: 'default', destination: { server: 'https://kubernetes.default.svc' } },
    };
    expect(namesOf(generation({ generators, template: pulled }))).toEqual(['c1-app on c1', 'c7-app on c7']);
  });
});
