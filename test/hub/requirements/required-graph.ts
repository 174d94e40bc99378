import { Random } from '../differential/random.ts';

/** What an add-on delivers: the changes that gave it its template and its variables. */
export interface Content {
  readonly template: number;
  readonly variables: number;
}

/** An add-on of a random graph. */
export interface GraphAddOn {
  readonly name: string;
  /** The add-ons that must be Available first. */
  readonly requires: readonly string[];
  /** The add-ons that must only be installed. */
  readonly requiresInstalled: readonly string[];
  readonly isProgressive: boolean;
  readonly content: Content;
  /** Milliseconds until the managed clusters have the namespace of a manifest. The work agent reports a failure until then. */
  readonly delay: number;
}

/** The add-ons and the clusters after a change. */
export interface GraphState {
  /** What the change does, for the output of the tests. */
  readonly change: string;
  /** Each requires only earlier ones. */
  readonly addOns: readonly GraphAddOn[];
  readonly clusters: readonly string[];
}

/** Add-ons that require each other, and how they change. */
export interface RequiredGraph {
  readonly name: string;
  /** By the number of the change. The first one installs add-ons. */
  readonly states: readonly GraphState[];
}

const letters = 'abcdefg';

/**
 * Returns three to six add-ons, of which at least one requires another, and their changes: templates and variables, another add-on, another
 * cluster.
 *
 * @param clusters - all clusters. The last one may join later
 */
export function requiredGraph(seed: number, clusters: readonly string[]): RequiredGraph {
  const random = new Random(seed);
  const name = `graph-${seed}`;
  const joinsLater = random.chance(0.5);
  const last = clusters.length - 1;
  let state: GraphState = {
    change: 'install',
    addOns: initialAddOns(name, random),
    clusters: joinsLater ? clusters.slice(0, last) : clusters,
  };
  const states = [state];
  const changes: ((state: GraphState, change: number) => GraphState)[] = [
    (each, change) => updated(each, change, random),
    random.chance(0.5)
      ? (each, change) => updated(each, change, random)
      : (each, change) => withAnother(name, each, change, random),
    ...(joinsLater ? [(each: GraphState) => ({ ...each, change: 'join', clusters })] : []),
  ];
  while (changes.length > 0) {
    const [change] = changes.splice(random.between(0, changes.length - 1), 1);
    if (change !== undefined) state = change(state, states.length);
    states.push(state);
  }
  return { name, states };
}

/** Returns the graph with another change at its end. */
export function withChange(
  graph: RequiredGraph,
  change: (state: GraphState) => Partial<GraphState>,
): RequiredGraph {
  const last = graph.states.at(-1);
  if (last === undefined) throw new Error('a graph has a state');
  return { ...graph, states: [...graph.states, { ...last, ...change(last) }] };
}

function initialAddOns(graph: string, random: Random): GraphAddOn[] {
  const addOns: GraphAddOn[] = [];
  const count = random.between(3, 6);
  while (addOns.length < count) {
    const addOn = another(graph, addOns, 0, random);
    const isLast = addOns.length === count - 1;
    const requiresNothing = addOns.every(({ requires }) => requires.length === 0);
    addOns.push(
      isLast && requiresNothing && addOn.requires.length === 0
        ? { ...addOn, requires: [`${graph}-a`], requiresInstalled: [] }
        : addOn,
    );
  }
  return addOns;
}

function another(graph: string, addOns: readonly GraphAddOn[], change: number, random: Random): GraphAddOn {
  const earlier = addOns.map(({ name }) => name);
  const requires = random.some(earlier, 0.5);
  return {
    name: `${graph}-${letters.charAt(addOns.length)}`,
    requires,
    requiresInstalled: random.some(
      earlier.filter((other) => !requires.includes(other)),
      0.2,
    ),
    isProgressive: random.chance(0.4),
    content: { template: change, variables: change },
    delay: randomDelay(random),
  };
}

function randomDelay(random: Random): number {
  return random.chance(0.4) ? random.between(500, 4000) : 0;
}

/** Changes the templates or the variables of a required add-on, of one that requires it, and of some others. */
function updated(state: GraphState, change: number, random: Random): GraphState {
  const dependent = random.pick(state.addOns.filter(({ requires }) => requires.length > 0));
  const chosen = new Set([
    dependent.name,
    random.pick(dependent.requires),
    ...random.some(
      state.addOns.map(({ name }) => name),
      0.3,
    ),
  ]);
  const addOns = state.addOns.map((each) =>
    chosen.has(each.name) ? withContent(each, change, random) : each,
  );
  return { ...state, change: `update of ${[...chosen].sort().join(', ')}`, addOns };
}

function withContent(addOn: GraphAddOn, change: number, random: Random): GraphAddOn {
  const { template, variables } = addOn.content;
  const isTemplate = random.chance(0.5);
  const content = isTemplate ? { template: change, variables } : { template, variables: change };
  return { ...addOn, content, delay: randomDelay(random) };
}

/** Adds an add-on, which others may require from then on. */
function withAnother(graph: string, state: GraphState, change: number, random: Random): GraphState {
  const added = another(graph, state.addOns, change, random);
  const before = reachedBy(added, state.addOns);
  const later = state.addOns.filter(({ name }) => !before.has(name));
  const dependents = new Set(random.some(later, 0.4).map(({ name }) => name));
  if (dependents.size === 0 && later.length > 0) dependents.add(random.pick(later).name);
  // Everything that the added one requires comes first.
  const sorted = [
    ...state.addOns.filter(({ name }) => before.has(name)),
    added,
    ...later.map((each) =>
      dependents.has(each.name)
        ? { ...withContent(each, change, random), requires: [...each.requires, added.name] }
        : each,
    ),
  ];
  return { ...state, change: `new ${[added.name, ...dependents].join(', required by ')}`, addOns: sorted };
}

/** Returns the names of what an add-on requires, and of what that requires. */
function reachedBy(addOn: GraphAddOn, addOns: readonly GraphAddOn[]): ReadonlySet<string> {
  const reached = new Set([...addOn.requires, ...addOn.requiresInstalled]);
  for (const name of reached) {
    const each = addOns.find((other) => other.name === name);
    for (const other of [...(each?.requires ?? []), ...(each?.requiresInstalled ?? [])]) reached.add(other);
  }
  return reached;
}

const group = 'addon.open-cluster-management.io';
/** Clusters whose wave has not come use the earlier object. */
const immutable = { 'fleetwright.dev/immutable': 'true' };

/** Returns the app of a graph in a state. */
export function appOf(graph: string, { addOns, clusters }: GraphState): string {
  const selector = { matchExpressions: [{ key: 'cluster', operator: 'In', values: clusters }] };
  const placement = {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata: { name: graph, namespace: graph },
    spec: {
      tolerations: [{ operator: 'Exists' }],
      predicates: [{ requiredClusterSelector: { labelSelector: selector } }],
    },
  };
  const binding = {
    apiVersion: 'cluster.open-cluster-management.io/v1beta2',
    kind: 'ManagedClusterSetBinding',
    metadata: { name: 'global', namespace: graph },
    spec: { clusterSet: 'global' },
  };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: graph } };
  return [namespace, binding, placement, ...addOns.flatMap((addOn) => objectsOf(graph, addOn))]
    .map((object) => JSON.stringify(object))
    .join('\n---\n');
}

function objectsOf(graph: string, addOn: GraphAddOn): object[] {
  const { name, requires, requiresInstalled, isProgressive, content } = addOn;
  const lines = [...requires, ...requiresInstalled.map((other) => `${other} installed`)];
  const rolloutStrategy = isProgressive
    ? { type: 'Progressive', progressive: { maxConcurrency: 1 } }
    : { type: 'All' };
  const marks = manifestsOf(addOn).map((metadata) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, labels: { graph } },
    data: { template: `${content.template}`, variables: '{{CHANGE}}' },
  }));
  return [
    {
      apiVersion: `${group}/v1alpha1`,
      kind: 'ClusterManagementAddOn',
      metadata: {
        name,
        annotations: {
          'fleetwright.dev/delivery': 'compiled',
          ...(lines.length > 0 && { 'fleetwright.dev/requires': lines.join('\n') }),
        },
      },
      spec: {
        supportedConfigs: [
          { group, resource: 'addontemplates', defaultConfig: { name } },
          { group, resource: 'addondeploymentconfigs', defaultConfig: { name, namespace: graph } },
        ],
        installStrategy: {
          type: 'Placements',
          placements: [{ name: graph, namespace: graph, rolloutStrategy }],
        },
      },
    },
    {
      apiVersion: `${group}/v1alpha1`,
      kind: 'AddOnTemplate',
      metadata: { name, annotations: immutable },
      spec: { addonName: name, agentSpec: { workload: { manifests: marks } } },
    },
    {
      apiVersion: `${group}/v1alpha1`,
      kind: 'AddOnDeploymentConfig',
      metadata: { name, namespace: graph, annotations: immutable },
      spec: {
        // Keeps the namespaces of the template.
        agentInstallNamespace: '',
        customizedVariables: [{ name: 'CHANGE', value: `${content.variables}` }],
      },
    },
  ];
}

/** Returns the ConfigMaps that an add-on delivers to a cluster. */
export function manifestsOf(
  addOn: GraphAddOn,
): readonly { readonly name: string; readonly namespace: string }[] {
  const { name, delay } = addOn;
  const late = { name: `${name}-late`, namespace: lateNamespace(addOn) };
  return [{ name, namespace: 'default' }, ...(delay > 0 ? [late] : [])];
}

/** Returns how many manifests clusters get and lose, from the first state to the last one. */
export function manifestChangesOf({ states }: RequiredGraph): number {
  let present = new Set<string>();
  let changes = 0;
  for (const { addOns, clusters } of states) {
    const keys = addOns
      .flatMap(manifestsOf)
      .flatMap(({ name, namespace }) => clusters.map((cluster) => `${cluster}/${namespace}/${name}`));
    const next = new Set(keys);
    changes += keys.filter((key) => !present.has(key)).length;
    changes += [...present].filter((key) => !next.has(key)).length;
    present = next;
  }
  return changes;
}

/** The namespace that the managed clusters have after the delay of an add-on. */
export function lateNamespace({ name, content }: GraphAddOn): string {
  return `late-${name}-${changeOf(content)}`;
}

/** Returns the number of the change that a content is from. */
export function changeOf({ template, variables }: Content): number {
  return Math.max(template, variables);
}

/** Whether a content is from the expected changes, or from later ones. */
export function isAsNew(actual: Content, expected: Content): boolean {
  return actual.template >= expected.template && actual.variables >= expected.variables;
}

/** Returns the add-ons that an add-on requires with a content. */
export function requiredBy({ states }: RequiredGraph, addOn: string, content: Content): readonly string[] {
  return states[changeOf(content)]?.addOns.find(({ name }) => name === addOn)?.requires ?? [];
}

/** Returns the content of an add-on after a change. */
export function contentOf({ states }: RequiredGraph, addOn: string, change: number): Content {
  const content = states[change]?.addOns.find(({ name }) => name === addOn)?.content;
  if (content === undefined) throw new Error(`change ${change} has no ${addOn}`);
  return content;
}

/** Returns the names of all add-ons that a graph has at some time. */
export function namesIn({ states }: RequiredGraph): ReadonlySet<string> {
  return new Set(states.flatMap(({ addOns }) => addOns.map(({ name }) => name)));
}

/** The fleet of some clusters. */
export function fleet(clusters: readonly string[]): string {
  const set = 'cluster.open-cluster-management.io/v1beta2';
  return [
    {
      apiVersion: set,
      kind: 'ManagedClusterSet',
      metadata: { name: 'global' },
      spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
    },
    ...clusters.map((name) => ({
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name, labels: { cluster: name } },
      spec: { hubAcceptsClient: true },
    })),
  ]
    .map((object) => JSON.stringify(object))
    .join('\n---\n');
}
