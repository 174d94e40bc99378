import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { load } from '../../../src/compiler/load/load.ts';
import type { LoadedObject } from '../../../src/compiler/model/inventory.ts';
import { predictRollout } from '../../../src/compiler/predict-rollout.ts';
import { compiledClusters } from '../../../src/compiler/deliver/compiled-clusters.ts';
import { individualObjects } from '../../../src/compiler/deliver/individual-objects.ts';
import { whoUses } from '../../../src/compiler/explain/who-uses.ts';
import { rolloutDocument } from '../../../src/compiler/report/json/rollout-json.ts';
import { resolve } from '../../../src/compiler/resolve.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { AddOnDeploymentConfig } from '../../../constructs/index.ts';
import { objectOf } from '../../constructs/in-chart.ts';
import { importText, writeApp } from '../../importer/imported.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { constructsIn } from './constructs-in.ts';

const group = 'addon.open-cluster-management.io';

const settings = (
  level = 'info',
  { annotations = "fleetwright.dev/immutable: 'true'", name = 'settings' } = {},
) => `---
apiVersion: ${group}/v1alpha1
kind: AddOnDeploymentConfig
metadata:
  name: ${name}
  namespace: default
  annotations: { ${annotations} }
spec:
  customizedVariables: [{ name: LEVEL, value: ${level} }]
`;

const template = `---
apiVersion: ${group}/v1alpha1
kind: AddOnTemplate
metadata:
  name: agent
  annotations: { fleetwright.dev/immutable: 'true', fleetwright.dev/revision-history-limit: '4' }
spec:
  addonName: agent
  agentSpec:
    workload:
      manifests:
        - apiVersion: v1
          kind: ConfigMap
          metadata: { name: level, namespace: open-cluster-management-agent-addon }
          data: { level: '{{LEVEL}}' }
`;

const placement = `---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: default }
spec: { clusterSets: [global] }
`;

const reference = `{ group: ${group}, resource: addondeploymentconfigs, namespace: default, name: settings }`;

const addOn = (version = 'v1alpha1') => `---
apiVersion: ${group}/${version}
kind: ClusterManagementAddOn
metadata: { name: agent }
spec:
${
  version === 'v1alpha1'
    ? `  supportedConfigs:
    - { group: ${group}, resource: addontemplates, defaultConfig: { name: agent } }
    - { group: ${group}, resource: addondeploymentconfigs, defaultConfig: { namespace: default, name: settings } }`
    : `  defaultConfigs: [{ group: ${group}, resource: addontemplates, name: agent }, ${reference}]`
}
  installStrategy:
    type: Placements
    placements:
      - name: all
        namespace: default
        rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: 1 } }
        configs: [${reference}]
`;

const clusterAddOn = `---
apiVersion: ${group}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: agent, namespace: c1 }
spec: { configs: [${reference}] }
`;

const fleet = fleetOf({ c1: {}, c2: {} });

/** The codes, fields, lines and texts of the errors. */
function errorsIn(
  text: string,
  { fleetText = fleet, external = [] as readonly { kind: string; name: string }[] } = {},
) {
  const { value } = load([
    { file: 'app.yaml', text, source: 'app' },
    { file: 'fleet.yaml', text: fleetText, source: 'fleet' },
  ]);
  const { diagnostics } = resolve(value, {
    now: 0,
    hub: hubVersion('1.3'),
    surroundings: { external, snapshots: [] },
  });
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message, hint, location, related }) => {
      const line = location !== undefined && 'line' in location ? `:${location.line}` : '';
      const others = (related ?? []).map((each) =>
        each.location !== undefined && 'file' in each.location
          ? `${each.message} at ${each.location.file}:${each.location.line}`
          : each.message,
      );
      return [`${code}${line}: ${message}`, hint ?? '', ...others];
    });
}

describe('an object with the annotation fleetwright.dev/immutable', () => {
  test('has the name that the construct gives it', () => {
    const { resolution } = resolveText(settings());
    const [config] = resolution.inventory.addOnDeploymentConfigs.values();
    const written = objectOf(
      (chart) =>
        new AddOnDeploymentConfig(chart, 'settings', {
          namespace: 'default',
          immutable: true,
          customizedVariables: { LEVEL: 'info' },
        }),
    );
    expect(config?.object.metadata).toEqual(written.metadata);
    expect(config?.origin.locate(['spec', 'customizedVariables'])).toEqual({
      file: 'app.yaml',
      line: 9,
      column: 3,
    });
  });

  test('has the same name if a value is written that the hub sets by default', () => {
    const [short, long, other] = [
      settings(),
      `${settings()}  agentInstallNamespace: open-cluster-management-agent-addon\n`,
      settings('debug'),
    ].map((text) => [...resolveText(text).resolution.inventory.addOnDeploymentConfigs.keys()]);
    expect(long).toEqual(short);
    expect(other).not.toEqual(short);
  });

  test.each(['v1alpha1', 'v1beta1'])('is referred to by its new name, in %s', (version) => {
    const app = [settings(), template, placement, addOn(version), clusterAddOn].join('');
    const { resolution, diagnostics } = resolveText(app, { fleet });
    const { inventory, configuration } = resolution;
    const [configName] = [...inventory.addOnDeploymentConfigs.keys()];
    const [templateName] = [...inventory.addOnTemplates.keys()];
    expect([configName, templateName]).toEqual([
      expect.stringMatching(/^default\/settings-[0-9a-f]{10}$/),
      expect.stringMatching(/^agent-[0-9a-f]{10}$/),
    ]);
    expect(inventory.addOnTemplates.get(templateName ?? '')?.object.metadata.annotations).toEqual({
      'fleetwright.dev/revision-history-limit': '4',
      'fleetwright.dev/revision-of': 'agent',
    });
    const effective = [...(configuration.get('agent')?.clusters.values() ?? [])].map((each) =>
      each.effective.references.map(({ namespace, name }) => (namespace ? `${namespace}/${name}` : name)),
    );
    expect(effective).toEqual([
      [configName, templateName],
      [configName, templateName],
    ]);
    const holder = inventory.objects.find(({ object }) => object.kind === 'ManagedClusterAddOn');
    expect(holder?.object['spec']).toMatchObject({
      configs: [{ name: configName?.slice('default/'.length) }],
    });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('is referred to by its new name by an add-on with parameters, whose configurations it does not change', () => {
    const parameters = (level: string) => `---
apiVersion: fleetwright.dev/v1alpha1
kind: AddOnParameters
metadata: { name: agent, namespace: default }
spec: { parameters: { LEVEL: { type: string, default: ${level} } } }
`;
    const compiled = (
      templateText: string,
      level: string,
    ): { readonly templates: readonly string[]; readonly configs: readonly string[] } => {
      const addOnText = addOn()
        .replace(', defaultConfig: { namespace: default, name: settings }', '')
        .replace(/\n {8}configs: .*/, '');
      const app = [templateText, placement, addOnText, parameters(level)].join('');
      const { resolution, diagnostics } = resolveText(app, { fleet });
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      const { addOnTemplates, addOnDeploymentConfigs, clusterManagementAddOns } = resolution.inventory;
      const templates = [...addOnTemplates.keys()];
      const configs = [...addOnDeploymentConfigs.keys()];
      const addOnObject = JSON.stringify([...clusterManagementAddOns.values()].map(({ object }) => object));
      for (const key of [...templates, ...configs]) expect(addOnObject).toContain(`"${path.basename(key)}"`);
      return { templates, configs };
    };
    const first = compiled(template, 'info');
    expect([first.templates.length, first.configs.length]).toEqual([1, 1]);
    const otherTemplate = compiled(template.replace("'{{LEVEL}}'", "'x{{LEVEL}}'"), 'info');
    expect(otherTemplate.templates).not.toEqual(first.templates);
    expect(otherTemplate.configs).toEqual(first.configs);
    const otherValue = compiled(template, 'debug');
    expect(otherValue.templates).toEqual(first.templates);
    expect(otherValue.configs).not.toEqual(first.configs);
  });

  test('is delivered by compiled delivery', () => {
    const compiled = addOn().replace(
      'metadata: { name: agent }',
      'metadata: { name: agent, annotations: { fleetwright.dev/delivery: compiled } }',
    );
    const { resolution, diagnostics } = resolveText([settings(), template, placement, compiled].join(''), {
      fleet,
    });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
    const clusters = [...compiledClusters(resolution, target)];
    const text = JSON.stringify([individualObjects(resolution, target), clusters]);
    const [templateName = ''] = resolution.inventory.addOnTemplates.keys();
    expect(text).toContain(`"fleetwright.dev/default-template":"${templateName}"`);
    expect(clusters).toHaveLength(2);
    expect(text).not.toMatch(/"name":"settings"/);
  });

  test('is found by its written name', () => {
    const { resolution } = resolveText([settings(), template, placement, addOn()].join(''), { fleet });
    expect(whoUses(resolution, 'default/settings').map(({ object }) => object)).toEqual([
      expect.stringMatching(/^addondeploymentconfigs default\/settings-[0-9a-f]{10}$/),
    ]);
    expect(whoUses(resolution, 'addontemplate/agent').map(({ uses }) => uses[0]?.clusters)).toEqual([
      ['c1', 'c2'],
    ]);
  });

  test('has its written name in findings', () => {
    const invalid = template.replace('{{LEVEL}}', '{{MISSING}}');
    const { diagnostics } = resolveText([settings(), invalid, placement, addOn()].join(''), { fleet });
    const found = diagnostics.filter(({ object }) => object?.kind === 'AddOnTemplate');
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ object }) => object?.name))).toEqual(new Set(['agent']));
    expect(found.map(({ message, hint }) => `${message} ${hint ?? ''}`).join('\n')).not.toMatch(
      /-[0-9a-f]{10}/,
    );
  });

  test('is a new object after a change, which the rollout paces', () => {
    const objects = (text: string): LoadedObject[] => [
      ...load([
        { file: 'app.yaml', text, source: 'app' },
        { file: 'fleet.yaml', text: fleet, source: 'fleet' },
      ]).value,
    ];
    const app = (level: string): string => [settings(level), template, placement, addOn()].join('');
    const { value, diagnostics } = predictRollout(objects(app('info')), {
      now: 0,
      hub: hubVersion('1.3'),
      update: load([{ file: 'update.yaml', text: settings('debug'), source: 'app' }]).value,
    });
    expect(diagnostics.map(({ code }) => code)).not.toContain('FW7209');
    expect(value && rolloutDocument(value)).toMatchObject({ update: [['c1'], ['c2']] });
  });

  test("keeps its name with 'false', and loses the annotation", () => {
    const { resolution } = resolveText(
      settings('info', { annotations: "fleetwright.dev/immutable: 'false'" }),
    );
    const [config] = resolution.inventory.addOnDeploymentConfigs.values();
    expect(config?.object.metadata).toEqual({ name: 'settings', namespace: 'default' });
  });
});

describe('import', () => {
  const scratch = path.resolve(import.meta.dirname, '../../../scratch');
  let folder = '';
  beforeAll(async () => {
    await mkdir(scratch, { recursive: true });
    folder = await mkdtemp(path.join(scratch, 'revisions-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('writes `immutable: true`, and the objects keep their names', async () => {
    const text = [settings(), template, placement, addOn('v1beta1'), clusterAddOn].join('');
    const { app } = importText(text);
    expect(app?.files.get('app.ts')).toContain('immutable: true');
    expect(app?.files.get('app.ts')).toContain('revisionHistoryLimit: 4');
    expect(app?.asYaml).toBe(0);
    if (app === undefined) throw new Error('no app');
    await writeApp(folder, app);
    const names = (objects: readonly LoadedObject[]): unknown => {
      const { value } = resolve(objects, { now: 0, hub: hubVersion('1.3') });
      return value?.inventory.objects
        .filter(({ source }) => source === 'app')
        .map(({ object: { kind, metadata } }) => `${kind} ${metadata.name ?? ''}`)
        .sort();
    };
    const imported = await constructsIn(path.join(folder, 'app.ts'));
    expect(names(imported)).toEqual(names(load([{ file: 'app.yaml', text, source: 'app' }]).value));
  });
});

describe('FW2060: annotations', () => {
  test.each([
    ["fleetwright.dev/imutable: 'true'", 'did you mean "fleetwright.dev/immutable"?'],
    ["fleetwright.dev/Immutable: 'true'", 'did you mean "fleetwright.dev/immutable"?'],
    ["fleetwright.dev/revisionHistoryLimit: '3'", 'did you mean "fleetwright.dev/revision-history-limit"?'],
    ["Fleetwright.dev/immutable: 'true'", 'did you mean "fleetwright.dev/immutable"?'],
    ["fleetwright.io/immutable: 'true'", 'did you mean "fleetwright.dev/immutable"?'],
    ["fleetwright/immutable: 'true'", 'did you mean "fleetwright.dev/immutable"?'],
    [
      "fleetwright.dev/content-names: 'true'",
      'the annotations that you can set are "fleetwright.dev/delivery", "fleetwright.dev/health", "fleetwright.dev/immutable", "fleetwright.dev/override", "fleetwright.dev/pre-delete-hooks", "fleetwright.dev/requires", "fleetwright.dev/revision-history-limit", "fleetwright.dev/rollout" and "fleetwright.dev/shared-with"',
    ],
  ])('%s', (annotations, hint) => {
    const [name = ''] = annotations.split(':');
    expect(errorsIn(settings('info', { annotations }))).toEqual([
      [`FW2060:7: Fleetwright has no annotation "${name}"`, hint],
    ]);
  });

  test.each([
    ["fleetwright.dev/immutable: 'yes'", "set it to 'true', or remove it"],
    ["fleetwright.dev/rollout: 'progressive'", "set it to 'promoted', or remove it"],
    [
      "fleetwright.dev/immutable: 'true', fleetwright.dev/revision-history-limit: '-1'",
      "set the number of earlier revisions to keep, as a string such as '5'",
    ],
  ])('%s', (annotations, hint) => {
    expect(errorsIn(settings('info', { annotations })).map(([, ofError]) => ofError)).toEqual([hint]);
  });

  test('a label', () => {
    const text = settings().replace('annotations:', 'labels:');
    expect(errorsIn(text)).toEqual([
      [
        'FW2060:7: fleetwright.dev/immutable is a label, and has an effect only as an annotation',
        'move it to metadata.annotations',
      ],
    ]);
  });

  test('of others are ignored', () => {
    expect(errorsIn(settings('info', { annotations: "example.com/immutable: 'true', team: a" }))).toEqual([]);
  });
});

describe('FW2061: an object that cannot be named by its content', () => {
  test('is of another kind', () => {
    const text = placement.replace(
      'namespace: default',
      "namespace: default, annotations: { fleetwright.dev/immutable: 'true' }",
    );
    expect(errorsIn(text)).toEqual([
      [
        'FW2061:4: Placement "default/all" cannot be named by its content: only AddOnDeploymentConfig and AddOnTemplate can',
        'remove the annotation',
      ],
    ]);
  });

  test('has a limit and is not immutable', () => {
    expect(
      errorsIn(settings('info', { annotations: "fleetwright.dev/revision-history-limit: '3'" })),
    ).toEqual([
      [
        'FW2061:7: AddOnDeploymentConfig "default/settings" is not immutable, so it has no earlier revisions to keep',
        "add the annotation fleetwright.dev/immutable: 'true'",
      ],
    ]);
  });

  test('has the annotation of a revision', () => {
    expect(errorsIn(settings('info', { annotations: 'fleetwright.dev/revision-of: settings' }))).toEqual([
      [
        'FW2061:7: AddOnDeploymentConfig "default/settings" has the annotation that synth writes on a revision',
        "give it the name without the hash, and the annotation fleetwright.dev/immutable: 'true' alone",
      ],
    ]);
  });

  test('has the name of another one', () => {
    const text = [settings(), settings('debug')].join('');
    expect(errorsIn(text).map(([message]) => message)).toEqual([
      'FW2025:14: AddOnDeploymentConfig default/settings already exists, and this object would overwrite it',
    ]);
  });
});

describe('FW2062: an outside reference', () => {
  const message = 'FW2062:7: AddOnDeploymentConfig "default/settings" gets a name with a hash, but';
  const hint = 'refer to it only from this app, or remove the annotation fleetwright.dev/immutable';

  test('of an object of the hub', () => {
    const app = [settings(), template, placement, addOn()].join('');
    expect(errorsIn(app, { fleetText: fleet + clusterAddOn })).toEqual([
      [
        `${message} ManagedClusterAddOn "c1/agent" on the hub refers to it by this name`,
        hint,
        expect.stringMatching(/^ManagedClusterAddOn "c1\/agent" on the hub at fleet\.yaml:\d+$/),
      ],
    ]);
  });

  test('unless the app has that object', () => {
    const app = [settings(), template, placement, addOn(), clusterAddOn].join('');
    expect(errorsIn(app, { fleetText: fleet + clusterAddOn + addOn() })).toEqual([]);
  });

  test('of another app', () => {
    const external = [{ kind: 'AddOnDeploymentConfig', namespace: 'default', name: 'settings' }];
    expect(errorsIn(settings(), { external })).toEqual([
      [`${message} an entry of external refers to it by this name`, hint, 'an entry of external'],
    ]);
  });

  test('of a role', () => {
    const role = `---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: reader, namespace: default }
rules:
  - { apiGroups: [${group}], resources: [addondeploymentconfigs], resourceNames: [settings], verbs: [get] }
`;
    expect(errorsIn(settings() + role)).toEqual([
      [`${message} Role "reader" refers to it by this name`, hint, 'Role "reader" at app.yaml:15'],
    ]);
  });
});
