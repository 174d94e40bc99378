import { admit } from '../../../src/compiler/admit/admit.ts';
import { hasErrors, type Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import type { Inventory } from '../../../src/compiler/model/inventory.ts';
import { load } from '../../../src/compiler/load/load.ts';
import type { Decision, Decisions } from '../../../src/compiler/place/decision.ts';
import { place } from '../../../src/compiler/place/place.ts';

/** The moment at which tests decide, unless they say otherwise. */
export const now = Date.parse('2026-08-15T12:00:00Z');

const group = 'cluster.open-cluster-management.io';

/** Objects, or YAML texts, as the hub holds them after admission. */
export function inventoryOf(...objects: readonly (string | object)[]): Inventory {
  const text = objects
    .map((object) => (typeof object === 'string' ? object : JSON.stringify(object)))
    .join('\n---\n');
  const loaded = load([{ file: 'hub.yaml', text, source: 'app' }]);
  const admitted = admit(loaded.value);
  const diagnostics = [...loaded.diagnostics, ...admitted.diagnostics];
  if (hasErrors(diagnostics)) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return admitted.value;
}

/** What the hub decides for some objects. */
export function decide(
  objects: readonly (string | object)[],
  at: number = now,
  before?: Decisions,
): { decisions: Decisions; diagnostics: readonly Diagnostic[] } {
  const { value, diagnostics } = place(inventoryOf(...objects), {
    now: at,
    ...(before && { earlier: before }),
  });
  return { decisions: value, diagnostics };
}

/** The decision of one placement, `default/pl` unless named. */
export function decisionOf({ byPlacement: decisions }: Decisions, key = 'default/pl'): Decision {
  const decision = decisions.get(key);
  if (decision === undefined) throw new Error(`no decision for ${key}`);
  return decision;
}

/** The clusters that the objects give to placement `default/pl`. */
export function selectedOf(objects: readonly (string | object)[], at: number = now): readonly string[] {
  return decisionOf(decide(objects, at).decisions).selected;
}

/** A placement `default/pl`. */
export function placement(spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: `${group}/v1beta1`,
    kind: 'Placement',
    metadata: { name: 'pl', namespace: 'default', ...metadata },
    spec,
  };
}

/** A placement `default/<name>`. */
export function placementNamed(name: string, spec: object = {}): object {
  return placement(spec, { name });
}

interface ClusterFields {
  readonly labels?: object;
  readonly claims?: Readonly<Record<string, string>>;
  readonly taints?: readonly object[];
  /** Status of ManagedClusterConditionAvailable; `none` for a cluster that never joined. */
  readonly available?: 'True' | 'False' | 'Unknown' | 'none';
  readonly allocatable?: object;
  readonly capacity?: object;
  readonly deletionTimestamp?: string;
}

/** A healthy cluster of set `default`. */
export function cluster(name: string, fields: ClusterFields = {}): object {
  const {
    labels,
    claims = {},
    taints,
    available = 'True',
    allocatable,
    capacity = allocatable,
    deletionTimestamp,
  } = fields;
  const condition = {
    type: 'ManagedClusterConditionAvailable',
    status: available,
    reason: 'Test',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  const deletion =
    deletionTimestamp === undefined ? {} : { deletionTimestamp, finalizers: ['example.com/wait'] };
  return {
    apiVersion: `${group}/v1`,
    kind: 'ManagedCluster',
    metadata: { name, ...(labels === undefined ? {} : { labels }), ...deletion },
    spec: { hubAcceptsClient: true, ...(taints === undefined ? {} : { taints }) },
    status: {
      conditions: available === 'none' ? [] : [condition],
      clusterClaims: Object.entries(claims).map(([claim, value]) => ({ name: claim, value })),
      version: {},
      ...(allocatable === undefined ? {} : { allocatable, capacity }),
    },
  };
}

/** Clusters of set `default`, without other labels. */
export function clusters(...names: readonly string[]): object[] {
  return names.map((name) => cluster(name));
}

/** A set with labels, or with a selector. */
export function clusterSet(
  name: string,
  clusterSelector: object = { selectorType: 'ExclusiveClusterSetLabel' },
): object {
  return {
    apiVersion: `${group}/v1beta2`,
    kind: 'ManagedClusterSet',
    metadata: { name },
    spec: { clusterSelector },
  };
}

/** A binding of namespace `default`, or another, to a set. */
export function binding(set: string, namespace = 'default'): object {
  return {
    apiVersion: `${group}/v1beta2`,
    kind: 'ManagedClusterSetBinding',
    metadata: { name: set, namespace },
    spec: { clusterSet: set },
  };
}

/** The AddOnPlacementScore `load` of a cluster. */
export function score(
  clusterName: string,
  scores: Readonly<Record<string, number>>,
  validUntil?: string,
): object {
  return {
    apiVersion: `${group}/v1alpha1`,
    kind: 'AddOnPlacementScore',
    metadata: { name: 'load', namespace: clusterName },
    status: {
      scores: Object.entries(scores).map(([name, value]) => ({ name, value })),
      ...(validUntil === undefined ? {} : { validUntil }),
    },
  };
}

/** An earlier decision of a placement of namespace `default`, as the hub wrote it. */
export function earlier(placementName: string, names: readonly string[], page = 1): object {
  return {
    apiVersion: `${group}/v1beta1`,
    kind: 'PlacementDecision',
    metadata: {
      name: `${placementName}-decision-${page}`,
      namespace: 'default',
      labels: {
        [`${group}/placement`]: placementName,
        [`${group}/decision-group-index`]: String(page - 1),
        [`${group}/decision-group-name`]: '',
      },
    },
    status: { decisions: names.map((clusterName) => ({ clusterName, reason: '' })) },
  };
}
