import * as plus from 'cdk8s-plus-27';
import { describe, expect, test } from 'vitest';
import { ConstructSynthesizer } from '../../src/workspace/construct-synthesizer.ts';
import { load } from '../../src/compiler/load/load.ts';
import { asTemplate, type TemplateTarget } from '../../src/importer/as-template.ts';
import { importObjects } from '../../src/importer/import-objects.ts';

const file = 'web.yaml';

/** Converts a workload to an add-on, and returns its objects and findings. */
function converted(text: string, target: TemplateTarget = { addOn: 'web' }) {
  const loaded = load([{ file, text, source: 'app' }]);
  expect(loaded.diagnostics).toEqual([]);
  return asTemplate(loaded.value, target);
}

function findings(text: string, target?: TemplateTarget): string[] {
  return converted(text, target).diagnostics.map(({ code, message, location, hint }) => {
    const at = location !== undefined && 'file' in location ? ` (${location.line}:${location.column})` : '';
    expect(hint ?? code).not.toBe('');
    return `${code}: ${message}${at}`;
  });
}

const configMap = (data: string, metadata = '{ name: web, namespace: kube-system }'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: ${metadata}\ndata: ${data}\n`;

describe('the objects of an add-on for a workload', () => {
  test('are a template, the add-on, and a Placement of all clusters', () => {
    const { value, diagnostics } = converted(configMap('{ a: b }'));
    expect(diagnostics).toEqual([]);
    expect(value.map(({ object }) => `${object.kind} ${object.metadata.name}`)).toEqual([
      'Namespace web',
      'ManagedClusterSetBinding global',
      'Placement all',
      'AddOnTemplate web-1.0.0',
      'ClusterManagementAddOn web',
    ]);
    expect(value[3]?.object).toMatchObject({
      spec: {
        addonName: 'web',
        agentSpec: { workload: { manifests: [{ kind: 'ConfigMap', data: { a: 'b' } }] } },
      },
    });
  });

  test('refer to a Placement that exists', () => {
    const target = { addOn: 'web', placement: { namespace: 'shops', name: 'edge' } };
    const { value } = converted(configMap('{ a: b }'), target);
    expect(value.map(({ object }) => object.kind)).toEqual(['AddOnTemplate', 'ClusterManagementAddOn']);
    expect(value[1]?.object['spec']).toMatchObject({
      installStrategy: { placements: [{ namespace: 'shops', name: 'edge' }] },
    });
  });

  test('contain no status, and no metadata of one cluster', () => {
    const { value, diagnostics } = converted(
      `apiVersion: v1
kind: Namespace
metadata: { name: web, uid: '1', resourceVersion: '2', labels: { a: b } }
status: { phase: Active }
`,
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW9104']);
    expect(value[3]?.object).toMatchObject({
      spec: {
        agentSpec: {
          workload: {
            manifests: [
              { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web', labels: { a: 'b' } } },
            ],
          },
        },
      },
    });
    expect(JSON.stringify(value[3]?.object)).not.toMatch(/status|uid|resourceVersion/);
  });

  test('keep the comments of the workload at its code', () => {
    const text = `# The settings.\n${configMap('\n  # the first letter\n  a: b')}`;
    const { value } = converted(text);
    const app = importObjects(value, [{ file, text }], new ConstructSynthesizer(plus)).value;
    expect(app?.files.get('app.ts')).toContain(`  workload: (scope) => {
    // The settings.
    new kplus.k8s.KubeConfigMap(scope, 'web', {
      data: {
        // the first letter
        a: 'b',
      },
    });
  },
`);
    expect(app?.files.get('app.ts')?.match(/The settings/g)).toHaveLength(1);
  });
});

describe('a finding about a workload', () => {
  test.each([
    [
      'an object of the hub',
      'apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\nmetadata: { name: all, namespace: web }\nspec: {}\n',
      [
        'FW9094: a template cannot contain Placement "all": it is an object of the hub (2:1)',
        'FW9099: Placement "web/all" needs Namespace "web" on each cluster, and the input does not contain it (3:24)',
      ],
    ],
    [
      'an object that each cluster writes',
      'apiVersion: v1\nkind: Event\nmetadata: { name: a, namespace: default }\n',
      ['FW9094: a template cannot contain Event "a": each cluster writes it itself (2:1)'],
    ],
    [
      "a cluster's own CA",
      configMap('{ ca.crt: x }', '{ name: kube-root-ca.crt, namespace: default }'),
      [
        'FW9094: a template cannot contain ConfigMap "kube-root-ca.crt": each cluster writes it itself (3:13)',
      ],
    ],
    [
      'an object with an owner',
      configMap(
        '{ a: b }',
        '{ name: a, namespace: default, ownerReferences: [{ apiVersion: apps/v1, kind: Deployment, name: web, uid: "1" }] }',
      ),
      [
        'FW9094: a template cannot contain ConfigMap "a": Deployment "web" creates it (3:42)',
        'FW9104: import omits metadata that the hub or kubectl writes: ownerReferences (3:1)',
      ],
    ],
    [
      'text in double braces',
      configMap("{ a: 'up {{ $labels.instance }}', b: '{{CLUSTER_NAME}} {{', '{{x.y}}': '' }"),
      [
        'FW9096: the hub would replace "{{ $labels.instance }}" in data.a: a template uses double braces for variables (4:9)',
        'FW9096: the hub would replace "{{" in data.b: a template uses double braces for variables (4:41)',
        'FW9096: the hub would replace "{{x.y}}" in data[{{x.y}}]: a template uses double braces for variables (4:67)',
      ],
    ],
    ['a variable', configMap("{ a: '{{CLUSTER_NAME}}', b: '{{LOG_LEVEL}}' }"), []],
    [
      'a missing namespace',
      configMap('{ a: b }', '{ name: a }'),
      [
        'FW9097: ConfigMap "a" has no namespace: the template puts it into open-cluster-management-agent-addon (3:13)',
      ],
    ],
    [
      'a kind without namespaces, and one whose scope is unknown',
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: a }\nrules: []\n---\napiVersion: example.com/v1\nkind: Shop\nmetadata: { name: a }\n',
      [],
    ],
    [
      'a kind that the workload defines as namespaced',
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: shops.example.com }\nspec: { group: example.com, scope: Namespaced, names: { kind: Shop, plural: shops } }\n---\napiVersion: example.com/v1\nkind: Shop\nmetadata: { name: a }\n',
      [
        'FW9097: Shop "a" has no namespace: the template puts it into open-cluster-management-agent-addon (8:13)',
      ],
    ],
    [
      'a namespace that the workload creates',
      `apiVersion: v1\nkind: Namespace\nmetadata: { name: web }\n---\n${configMap('{ a: b }', '{ name: a, namespace: web }')}`,
      [],
    ],
    [
      'a second object of the same name',
      `${configMap('{ a: b }')}---\n${configMap('{ a: c }')}`,
      ['FW2025: ConfigMap kube-system/web already exists, and this object would overwrite it (8:13)'],
    ],
  ])('names %s', (_, text, expected) => {
    const { value, diagnostics } = converted(text);
    expect(findings(text)).toEqual(expected);
    expect(value.length > 0).toBe(diagnostics.every(({ severity }) => severity !== 'error'));
  });

  test('has the keys of a Secret, and never its values', () => {
    const text = 'apiVersion: v1\nkind: Secret\nmetadata: { name: s, namespace: default }\n';
    const values = 'data: { token: aHVudGVyMg== }\nstringData: { user: hunter3, empty: "" }\n';
    const { value, diagnostics } = converted(`${text}${values}`);
    expect(value).toEqual([]);
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'FW9095: Secret "s" has values (token, user), which everyone who reads Git, the template or a work could read',
    ]);
    expect(JSON.stringify(diagnostics)).not.toMatch(/hunter|aHVu/);
    expect(converted(text).diagnostics).toEqual([]);
  });

  test.each(['Web', 'web.app', '-web', 'w'.repeat(64)])('names the invalid name %s', (addOn) => {
    const { value, diagnostics } = converted(configMap('{ a: b }'), { addOn });
    expect(value).toEqual([]);
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ['FW9098', 'choose a name of at most 63 lower-case letters, digits and "-"'],
    ]);
  });
});
