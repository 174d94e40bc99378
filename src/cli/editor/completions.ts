import { addOnGroup, clusterGroup } from '../../../schemas/groups.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import { fieldAt } from '../../compiler/api/placement-references.ts';
import { placementReferent } from '../../compiler/compare/usable-objects.ts';
import type { Resolution } from '../../compiler/index.ts';
import { labelOperators } from '../../compiler/place/label-selector.ts';
import { setsOnHub } from '../../compiler/place/default-cluster-sets.ts';
import { revisionOfAnnotation } from '../../ocm/fleetwright-annotations.ts';
import type { Referent } from '../../ocm/referent.ts';
import { referentOfObject } from './named-objects.ts';
import { clusterCount, counted } from '../../compiler/model/words.ts';
import type { JudgedUnit } from '../commands/validate/judgement.ts';
import type { YamlField } from './yaml-field.ts';

/** A word that the fleet or the workspace has, for a position. */
export interface Candidate {
  readonly text: string;
  /** What it is, beside it in the list. */
  readonly detail: string;
}

/** The most that an editor shows. */
const longestList = 500;

/** Returns what may be written at a field, sorted: labels and claims that clusters have, and names of objects that exist. */
export function completionsAt(field: YamlField, units: readonly JudgedUnit[]): readonly Candidate[] {
  const byText = new Map<string, Candidate>();
  for (const { resolution } of units)
    if (resolution !== undefined)
      for (const candidate of inUnit(field, resolution)) byText.set(candidate.text, candidate);
  return sorted(byText.values());
}

function sorted(candidates: Iterable<Candidate>): readonly Candidate[] {
  return [...candidates].sort((a, b) => (a.text < b.text ? -1 : 1)).slice(0, longestList);
}

/** Returns the variables that a template can use: those of the hub, and those of configurations. */
export function variablesOf(units: readonly JudgedUnit[]): readonly Candidate[] {
  const configs = new Map<string, number>();
  for (const { resolution } of units)
    for (const { object } of resolution?.inventory.addOnDeploymentConfigs.values() ?? [])
      for (const { name } of object.spec.customizedVariables ?? [])
        configs.set(name, (configs.get(name) ?? 0) + 1);
  return sorted([
    ...Array.from(configs, ([text, count]) => ({ text, detail: `in ${counted(count, 'configuration')}` })),
    ...['CLUSTER_NAME', 'HUB_KUBECONFIG', 'INSTALL_NAMESPACE']
      .filter((text) => !configs.has(text))
      .map((text) => ({ text, detail: 'of the hub' })),
  ]);
}

function inUnit(field: YamlField, resolution: Resolution): readonly Candidate[] {
  const { path, object } = field;
  const names = path.filter((step) => typeof step === 'string');
  const last = names.at(-1);
  const isClaim = names.includes('claimSelector');
  const counts = isClaim ? claimsOf(resolution) : labelsOf(resolution);
  const inLabels = names.lastIndexOf('matchLabels');
  if (inLabels >= 0) {
    const key = names[inLabels + 1];
    return key === undefined || field.isKey ? keysOf(counts) : valuesOf(counts, key);
  }
  if (names.includes('matchExpressions')) {
    const expression = path.slice(0, path.lastIndexOf('matchExpressions') + 2);
    if (last === 'key') return keysOf(counts);
    if (last === 'operator') return labelOperators.map((text) => ({ text, detail: 'operator' }));
    const key = fieldAt(object, [...expression, 'key']);
    if (last === 'values') return typeof key === 'string' ? valuesOf(counts, key) : [];
  }
  if (object['kind'] === 'ManagedClusterAddOn' && names[0] === 'metadata')
    return ofMetadata(last, resolution);
  if (last === 'clusterSets' || last === 'clusterSet')
    return setsOnHub([...resolution.inventory.managedClusterSets.values()].map((set) => set.object)).map(
      ({ metadata }) => ({
        text: metadata.name ?? '',
        detail: 'cluster set',
      }),
    );
  if (last === 'addonName' && object['kind'] === 'AddOnTemplate') return addOnsOf(resolution);
  const isReference = configLists.some((list) => names.includes(list));
  if (isReference && (last === 'resource' || last === 'group')) return kindsOf(last, resolution);
  if (last === 'name' || last === 'namespace') return referents(field, last, resolution);
  return [];
}

function ofMetadata(last: string | undefined, resolution: Resolution): readonly Candidate[] {
  if (last === 'namespace')
    return [...resolution.decisions.clusters.keys()].map((text) => ({ text, detail: 'cluster' }));
  if (last === 'name') return addOnsOf(resolution);
  return [];
}

function addOnsOf({ inventory }: Resolution): readonly Candidate[] {
  return [...inventory.clusterManagementAddOns.keys()].map((text) => ({ text, detail: 'add-on' }));
}

/** The fields with references to configurations. */
const configLists = ['configs', 'supportedConfigs', 'defaultConfigs'];

/** Returns the resources, or the groups, of the kinds of configurations that add-ons read. */
function kindsOf(field: 'resource' | 'group', { configuration }: Resolution): readonly Candidate[] {
  const kinds = [...configuration.values()].flatMap(({ supportedConfigs }) => [...supportedConfigs]);
  const ofOcm = ['addondeploymentconfigs', 'addontemplates'].map((resource) => ({
    group: addOnGroup,
    resource,
  }));
  return [...ofOcm, ...kinds].map(({ group, resource }) =>
    field === 'group' ? { text: group, detail: 'group' } : { text: resource, detail: group },
  );
}

/** Returns the names of the objects that a reference may have, by the other fields beside it. */
function referents(
  { path, object }: YamlField,
  last: 'name' | 'namespace',
  resolution: Resolution,
): readonly Candidate[] {
  const map = fieldAt(object, path.slice(0, -1));
  const around = path.at(-2) === 'defaultConfig' ? fieldAt(object, path.slice(0, -2)) : map;
  if (!isJsonMap(map) || path.length < 2) return [];
  const isPlacement =
    (path.includes('installStrategy') && !path.includes('configs')) || map['kind'] === 'Placement';
  const resource = isPlacement ? 'placements' : isJsonMap(around) ? around['resource'] : undefined;
  if (typeof resource !== 'string') return [];
  const group = isPlacement ? clusterGroup : isJsonMap(around) ? (around['group'] ?? '') : addOnGroup;
  const { namespace } = map;
  return existingObjects(resolution)
    .filter((each) => each.resource === resource && each.group === group)
    .filter((each) => last === 'namespace' || typeof namespace !== 'string' || each.namespace === namespace)
    .flatMap((each) => {
      const text = last === 'name' ? each.name : each.namespace;
      return text === undefined ? [] : [{ text, detail: last === 'name' ? resource : 'namespace' }];
    });
}

/** Returns the objects that references can name. Names that only references have are left out: they can be unfinished. */
function existingObjects({ inventory, decisions }: Resolution): readonly Referent[] {
  const { addOnDeploymentConfigs, addOnTemplates, others } = inventory;
  const configurations = [...addOnDeploymentConfigs.values(), ...addOnTemplates.values(), ...others];
  return [
    ...configurations.map(({ object }) => {
      const referent = referentOfObject(object);
      return { ...referent, name: object.metadata.annotations?.[revisionOfAnnotation] ?? referent.name };
    }),
    ...Array.from(decisions.byPlacement.keys(), placementReferent),
  ];
}

/** How many clusters have each value, by key. */
type Counts = ReadonlyMap<string, ReadonlyMap<string, number>>;

function labelsOf({ decisions }: Resolution): Counts {
  return countsIn(
    [...decisions.clusters.values()].map(({ metadata }) => Object.entries(metadata.labels ?? {})),
  );
}

function claimsOf({ decisions }: Resolution): Counts {
  return countsIn(
    [...decisions.clusters.values()].map(({ status }) =>
      (status?.clusterClaims ?? []).map(({ name, value }) => [name, value] as const),
    ),
  );
}

function countsIn(
  clusters: readonly (readonly (readonly [string | undefined, string | undefined])[])[],
): Counts {
  const counts = new Map<string, Map<string, number>>();
  for (const pairs of clusters)
    for (const [key = '', value = ''] of pairs) {
      const values = counts.get(key) ?? new Map<string, number>();
      counts.set(key, values.set(value, (values.get(value) ?? 0) + 1));
    }
  return counts;
}

function keysOf(counts: Counts): readonly Candidate[] {
  return [...counts].map(([text, values]) => {
    const clusters = [...values.values()].reduce((sum, count) => sum + count, 0);
    return { text, detail: `on ${clusterCount(clusters)}` };
  });
}

function valuesOf(counts: Counts, key: string): readonly Candidate[] {
  return [...(counts.get(key) ?? [])].map(([text, clusters]) => ({
    text,
    detail: `on ${clusterCount(clusters)}`,
  }));
}
