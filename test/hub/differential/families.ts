import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { Scenario } from '../record/scenario.ts';
import {
  clusterManagementAddOn,
  deploymentConfigConfig,
  group,
  managedClusterAddOn,
  templateConfig,
  type Config,
  type Supported,
} from './add-ons.ts';
import { deploymentConfig } from './deployment-configs.ts';
import {
  clusterName,
  clusters,
  clusterSets,
  made,
  namesOf,
  namespaces,
  scores,
  type Names,
} from './fleet.ts';
import { placement } from './placements.ts';
import { present, Random } from './random.ts';
import { rolloutStrategy } from './strategies.ts';
import { template } from './templates.ts';

/** The families of scenarios: each compares a part of the compiler with the hub. */
export const families = {
  placement: placementScenario,
  precedence: precedenceScenario,
  template: templateScenario,
  rollout: rolloutScenario,
} as const satisfies Record<string, (seed: number) => Scenario>;

export type Family = keyof typeof families;

/** Placements over a fleet with sets, taints and scores. No add-ons. */
function placementScenario(seed: number): Scenario {
  const random = new Random(seed);
  const names = namesOf(`fpl${seed}`);
  const count = random.between(4, 12);
  return {
    name: names.scenario,
    input: [
      ...namespaces(names),
      ...clusterSets(random, names),
      ...clusters(random, names, { clusters: count, trouble: 0.3 }),
      ...scores(random, names, count),
      ...random.times(random.between(1, 3), (index) =>
        placement(random, names, index, { numbered: 0.6, grouped: 0.5, selective: 0.7 }),
      ),
    ],
  };
}

/** Configurations by default, placement and cluster, of kinds that are supported and kinds that are not, some missing. */
function precedenceScenario(seed: number): Scenario {
  const random = new Random(seed);
  const names = namesOf(`fpr${seed}`);
  const addOn = `${names.scenario}-addon`;
  const count = random.between(3, 7);
  const configs = configChoices(names);
  const placements = random.times(random.between(1, 3), (index) =>
    placement(random, names, index, { numbered: 0.1, grouped: 0.2, selective: 0.6 }),
  );
  return {
    name: names.scenario,
    input: [
      ...namespaces(names),
      ...clusterSets(random, names),
      ...clusters(random, names, { clusters: count, trouble: 0.05 }),
      ...random.times(3, (index) => deploymentConfig(random, names, `cfg${index}`, 0.1)),
      ...random.times(2, (index) => template(random, names, `${names.scenario}-tpl${index}`, addOn)),
      made(['v1', 'ConfigMap'], 'plain', names.configs, { data: { a: '<&>' } }),
      ...placements,
      clusterManagementAddOn(random, {
        name: addOn,
        supported: supportedConfigs(random, configs),
        ...random.maybe(0.3, () => ({
          annotations: { [`${group}/lifecycle`]: random.pick(['addon-manager', 'self', '']) },
        })),
        ...random.maybe(0.8, () => ({
          placements: placements.map(({ metadata }) =>
            present({
              name: metadata.name,
              namespace: names.placements,
              configs: random.maybe(0.8, () => oneOfEachKind(random, configs)),
            }),
          ),
        })),
      }),
      ...random
        .some(
          random.times(count, (index) => clusterName(names, index)),
          0.4,
        )
        .map((cluster) =>
          managedClusterAddOn(random, addOn, cluster, random.sample(configs, random.between(0, 4))),
        ),
    ],
  };
}

/** One add-on made from a template, on one or two clusters, with every kind of deployment config. */
function templateScenario(seed: number): Scenario {
  const random = new Random(seed);
  const names = namesOf(`ftp${seed}`);
  const addOn = `${names.scenario}-addon`;
  const [defaultTemplate, otherTemplate] = [`${names.scenario}-tpl0`, `${names.scenario}-tpl1`];
  const count = random.pick([1, 1, 1, 2] as const);
  const withDefault = random.chance(0.8);
  const templates = [defaultTemplate, otherTemplate].map((name) => template(random, names, name, addOn));
  const registersKubeClient = templates.every((object) => JSON.stringify(object).includes('"KubeClient"'));
  return {
    name: names.scenario,
    input: [
      ...namespaces(names),
      ...clusters(random, names, { clusters: count, trouble: 0 }),
      deploymentConfig(random, names, 'cfg0', 0.25),
      deploymentConfig(random, names, 'cfg1', 0.25),
      ...templates,
      clusterManagementAddOn(random, {
        name: addOn,
        supported: [
          {
            group,
            resource: 'addontemplates',
            ...(withDefault && { default: templateConfig(defaultTemplate) }),
          },
          {
            group,
            resource: 'addondeploymentconfigs',
            ...random.maybe(0.5, () => ({ default: deploymentConfigConfig('cfg0', names) })),
          },
        ],
      }),
      ...random.times(count, (index) =>
        managedClusterAddOn(
          random,
          addOn,
          clusterName(names, index),
          [
            ...random.some([deploymentConfigConfig(random.chance(0.95) ? 'cfg1' : 'missing', names)], 0.6),
            ...(withDefault
              ? random.some([templateConfig(otherTemplate)], 0.3)
              : [templateConfig(otherTemplate)]),
          ],
          { registered: 0.4, registersKubeClient },
        ),
      ),
    ],
  };
}

/**
 * A rollout by any strategy, and then another of configurations that take the place of the first ones. During that some
 * agents may fail or be silent.
 */
function rolloutScenario(seed: number): Scenario {
  const random = new Random(seed);
  const names = namesOf(`fro${seed}`);
  const addOn = `${names.scenario}-addon`;
  const count = random.between(3, 10);
  const templateName = `${names.scenario}-tpl0`;
  const placements = random.times(random.pick([1, 1, 2]), (index) =>
    placement(random, names, index, { numbered: 0.1, grouped: 0.9, selective: 0.3 }),
  );
  const strategies = placements.map(() => rolloutStrategy(random, { soaking: 0.15, deadlines: 0.3 }));
  const members = random.times(count, (index) => clusterName(names, index));
  const failing = random.chance(0.4) ? random.sample(members, random.between(1, 2)) : [];
  const silent = random.chance(0.15)
    ? random.sample(
        members.filter((name) => !failing.includes(name)),
        1,
      )
    : [];
  const annotations = {};
  const revision = (number: number): KubernetesObject[] => {
    const config = deploymentConfigConfig(`cfg-v${number}`, names);
    return [
      made(
        ['addon.open-cluster-management.io/v1alpha1', 'AddOnDeploymentConfig'],
        config.name,
        names.configs,
        {
          spec: { customizedVariables: [{ name: 'REVISION', value: String(number) }] },
        },
      ),
      clusterManagementAddOn(new Random(seed), {
        name: addOn,
        annotations,
        supported: [
          { group, resource: 'addontemplates', default: templateConfig(templateName) },
          { group, resource: 'addondeploymentconfigs', default: config },
        ],
        placements: placements.map(({ metadata }, index) =>
          present({ name: metadata.name, namespace: names.placements, rolloutStrategy: strategies[index] }),
        ),
      }),
    ];
  };
  return {
    name: names.scenario,
    input: [
      ...namespaces(names),
      ...clusterSets(random, names),
      ...clusters(random, names, { clusters: count, trouble: 0.05 }),
      ...placements,
      rolloutTemplate(names, templateName, addOn),
      ...revision(1),
    ],
    update: revision(2),
    ...(failing.length + silent.length > 0 && { faults: { failing, silent } }),
  };
}

/** A template whose works change with the revision. */
function rolloutTemplate({ scenario }: Names, name: string, addOn: string): KubernetesObject {
  const manifest = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: scenario, namespace: 'agents' },
    data: { revision: '{{REVISION}}' },
  };
  return made(['addon.open-cluster-management.io/v1alpha1', 'AddOnTemplate'], name, undefined, {
    spec: { addonName: addOn, agentSpec: { workload: { manifests: [manifest] } } },
  });
}

/** All configurations that a precedence scenario chooses from; some of them do not exist. */
function configChoices(names: Names): readonly Config[] {
  return [
    deploymentConfigConfig('cfg0', names),
    deploymentConfigConfig('cfg1', names),
    deploymentConfigConfig('cfg2', names),
    deploymentConfigConfig('missing', names),
    templateConfig(`${names.scenario}-tpl0`),
    templateConfig(`${names.scenario}-tpl1`),
    templateConfig(`${names.scenario}-missing`),
    { group: '', resource: 'configmaps', name: 'plain', namespace: names.configs },
  ];
}

function kindOf({ group, resource }: Config): string {
  return `${group}/${resource}`;
}

/** At most one of each kind: of several in one strategy the hub takes them in random order. */
function oneOfEachKind(random: Random, configs: readonly Config[]): readonly Config[] {
  const chosen = new Map(
    random.sample(configs, random.between(1, 4)).map((config) => [kindOf(config), config]),
  );
  return [...chosen.values()];
}

function supportedConfigs(random: Random, configs: readonly Config[]): readonly Supported[] {
  const choices = new Map(oneOfEachKind(random, configs).map((config) => [kindOf(config), config]));
  // Without addontemplates an add-on has its own manager, which this hub does not have.
  const kinds = [
    { group, resource: 'addontemplates' },
    { group, resource: 'addondeploymentconfigs' },
    ...random.some([{ group: '', resource: 'configmaps' }], 0.3),
  ];
  return kinds
    .filter((_, index) => index === 0 || random.chance(0.85))
    .map((kind) => {
      const config = choices.get(kindOf({ ...kind, name: '' }));
      return { ...kind, ...(config !== undefined && random.chance(0.9) ? { default: config } : {}) };
    });
}
