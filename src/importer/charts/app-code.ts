import type { JsonMap } from '../../base/json/json-map.ts';
import {
  call,
  create,
  list,
  literal,
  member,
  name,
  object,
  plain,
  type Expression,
  type Property,
  type Statement,
} from '../code/expression.ts';
import { importOf, printModule, type ModulePart } from '../code/print.ts';
import type { ChartAppContent, WaveGroup } from './content.ts';

const constructNames = [
  'AddOnDeploymentConfig',
  'AddOnTemplate',
  'ApiObject',
  'App',
  'Chart',
  'ClusterManagementAddOn',
  'DecisionGroup',
  'HelmChart',
  'ManagedClusterSet',
  'ManagedClusterSetBinding',
  'Placement',
  'Registration',
  'Rollout',
  'Toleration',
];

/** Returns `app.ts` of an add-on from a chart. */
export function appCode(content: ChartAppContent): string {
  const { addOn, placement } = content;
  const hub = { namespace: literal(placement?.namespace ?? addOn) };
  const parts: readonly ModulePart[] = [
    { name: 'app', value: create('App') },
    { name: 'hub', value: create('Chart', name('app'), literal('hub'), object(hub)) },
    ...(placement === undefined ? namespaceOnHub(addOn) : []),
    '',
    ...selection(content),
    '',
    template(content),
    ...(content.installNamespace === undefined ? [] : ['', config(addOn, content.installNamespace)]),
    '',
    addOnStatement(content),
    '',
    'export default app;',
  ];
  const code = printModule(parts);
  const used = constructNames.filter((each) => new RegExp(String.raw`\b${each}\b(?=[.(])`).test(code));
  return `${introduction(content)}\n${importOf(used, 'fleetwright')}\n\n${code}`;
}

function introduction({ addOn }: ChartAppContent): string {
  return [
    `// The add-on "${addOn}", from a Helm chart. synth renders the chart for each cluster, and the companion`,
    '// (fleetwright controller hub) creates the works and reports the health.',
  ].join('\n');
}

function namespaceOnHub(addOn: string): Statement[] {
  return [{ value: apiObject('hub', 'namespace', namespaceObject(addOn)) }];
}

function apiObject(scope: string, id: string, value: JsonMap): Expression {
  return create('ApiObject', name(scope), literal(id), plain(value, undefined));
}

export function namespaceObject(namespace: string): JsonMap {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
}

function selection({ placement, groups }: ChartAppContent): Statement[] {
  if (placement !== undefined) {
    const reference = call('Placement', 'reference', literal(placement.namespace), literal(placement.name));
    return [{ name: 'clusters', value: reference }];
  }
  const tolerations = list([call('Toleration', 'unreachable'), call('Toleration', 'unavailable')]);
  return [
    {
      comments: ['All clusters of the hub. A cluster that is unreachable keeps the add-on.'],
      value: create(
        'ManagedClusterSetBinding',
        name('hub'),
        literal('global'),
        object({ clusterSet: member('ManagedClusterSet', 'global') }),
      ),
    },
    ...groups.map((group): Statement => ({ name: variableOf(group, groups), value: decisionGroup(group) })),
    {
      name: 'clusters',
      value: create(
        'Placement',
        name('hub'),
        literal('all'),
        object({ tolerations, ...(groups.length > 0 && { decisionGroups: groupNames(groups) }) }),
      ),
    },
  ];
}

const groupVariables = ['first', 'second'];

function variableOf(group: WaveGroup, groups: readonly WaveGroup[]): string {
  return groupVariables[groups.indexOf(group)] ?? 'first';
}

function groupNames(groups: readonly WaveGroup[]): Expression {
  return list(groups.map((group) => name(variableOf(group, groups))));
}

function decisionGroup({ name: groupName, label, value }: WaveGroup): Expression {
  return call('DecisionGroup', 'named', literal(groupName), plain({ labels: { [label]: value } }, undefined));
}

function template(content: ChartAppContent): Statement {
  const { addOn, source, values, installNamespace, createsNamespace, registration, registers } = content;
  const helmChart = create('HelmChart', name('workload'), literal(addOn), {
    type: 'object',
    properties: [
      { key: 'chart', value: create('URL', literal(source), name('import.meta.url')) },
      {
        key: 'values',
        comments: [
          "Values that are stronger than those in the chart's values.yaml. Values of single clusters are in an",
          'AddOnDeploymentConfig: name its variables in `variables`.',
        ],
        value: plain(values, undefined),
      },
    ],
  } satisfies Expression);
  const body: Statement[] = [
    ...(installNamespace === undefined || !createsNamespace
      ? []
      : [
          {
            comments: ['The namespace of the release. It is deleted with the add-on.'],
            value: apiObject('workload', 'namespace', namespaceObject(installNamespace)),
          },
        ]),
    { value: helmChart },
  ];
  const properties: Property[] = [
    { key: 'name', value: literal(addOn) },
    { key: 'addonName', value: literal(addOn) },
    { key: 'immutable', value: literal(true) },
    { key: 'workload', value: { type: 'function', parameter: 'workload', body } },
    ...(registers
      ? [
          {
            key: 'registration',
            comments: [
              `A guess: ${registration}.`,
              'List the permissions that it needs there in `hubPermissions`.',
            ],
            value: list([call('Registration', 'kubeClient')]),
          },
        ]
      : []),
  ];
  return {
    name: 'template',
    comments: registers ? [] : [`A guess: ${registration}.`],
    value: create('AddOnTemplate', name('hub'), literal('template'), { type: 'object', properties }),
  };
}

function config(addOn: string, installNamespace: string): Statement {
  return {
    name: 'config',
    comments: ['The namespace of the release on each cluster.'],
    value: create(
      'AddOnDeploymentConfig',
      name('hub'),
      literal('config'),
      object({
        name: literal(addOn),
        immutable: literal(true),
        agentInstallNamespace: literal(installNamespace),
      }),
    ),
  };
}

function addOnStatement({ addOn, installNamespace, groups }: ChartAppContent): Statement {
  const configs = [name('template'), ...(installNamespace === undefined ? [] : [name('config')])];
  const rollout =
    groups.length === 0
      ? undefined
      : call(
          'Rollout',
          'progressive',
          object({
            mandatoryGroups: groupNames(groups),
            maxConcurrency: literal('25%'),
          }),
        );
  return {
    value: create(
      'ClusterManagementAddOn',
      name('hub'),
      literal('add-on'),
      object({
        name: literal(addOn),
        delivery: literal('compiled'),
        defaultConfigs: list(configs),
        placements: list([object({ placement: name('clusters'), rollout })]),
      }),
    ),
  };
}
