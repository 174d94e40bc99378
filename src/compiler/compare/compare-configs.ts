import { configRead } from '../../ocm/referent.ts';
import { groupResource } from '../../base/names/resource-name.ts';
import type { Candidate, ClusterAddOn, EffectiveKind } from '../configure/resolved-add-on.ts';
import { objectKey, type Admitted } from '../model/inventory.ts';
import { compareValues, isNameOfEntry, leavesOf, type Difference } from './compare-values.ts';
import type { ParameterDifferences } from './parameter-differences.ts';
import type { Cause, ConfigChange, ConfigUse, ValueChange } from './change.ts';
import type { Pair, State } from './resolution-pair.ts';
import { addOnGroup } from '../../../schemas/groups.ts';

/** The differences in the configuration of one add-on on one cluster. */
export interface ConfigComparison {
  readonly configs: readonly ConfigChange[];
  readonly causes: readonly Cause[];
  readonly values: readonly ValueChange[];
}

/**
 * Compares the configurations that an add-on uses in two states, kind by kind.
 *
 * @param rendered - whether templates are compared by their rendered manifests, so that their own fields need not be reported
 * @param parameters - names the layers of values that are compiled from parameters
 */
export function compareConfigs(
  base: ClusterAddOn,
  head: ClusterAddOn,
  pair: Pair,
  rendered: boolean,
  parameters: ParameterDifferences,
): ConfigComparison {
  const kinds = new Map<string, { before?: EffectiveKind; after?: EffectiveKind }>();
  for (const kind of base.effective.kinds) kinds.set(resourceOf(kind), { before: kind });
  for (const kind of head.effective.kinds) {
    const resource = resourceOf(kind);
    kinds.set(resource, { ...kinds.get(resource), after: kind });
  }
  const configs: ConfigChange[] = [];
  const causes: Cause[] = [];
  const values: ValueChange[] = [];
  for (const [resource, { before, after }] of kinds) {
    const earlier = before?.winners ?? [];
    const later = after?.winners ?? [];
    for (let index = 0; index < Math.max(earlier.length, later.length); index += 1) {
      const from = earlier[index];
      const to = later[index];
      const isTemplate = resource === `addontemplates.${addOnGroup}`;
      const compared = compareUse(from, to, pair, rendered && isTemplate);
      if (compared === undefined) continue;
      const { cluster } = head;
      const byLayer = parameters.on(cluster, compared);
      causes.push(...byLayer.causes);
      values.push(...byLayer.values);
    }
    if (causes.length === 0 && values.length === 0) continue;
    configs.push({
      resource,
      before: earlier.map((candidate) => useOf(candidate, pair.base)),
      after: later.map((candidate) => useOf(candidate, pair.head)),
    });
  }
  return { configs: configs.filter(isChanged), causes, values };
}

/** Returns the configurations that an add-on uses on a cluster that did not have it, and the resulting values. */
export function installedConfigs(
  { effective }: ClusterAddOn,
  state: State,
): Omit<ConfigComparison, 'causes'> {
  const used = effective.kinds.filter(({ winners }) => winners.length > 0);
  return {
    configs: used.map((kind) => ({
      resource: resourceOf(kind),
      before: [],
      after: kind.winners.map((winner) => useOf(winner, state)),
    })),
    // A template is represented by its rendered manifests.
    values: used.flatMap(({ winners }) => {
      const winner = configRead(winners, effective.reads);
      return winner === undefined || winner.reference.resource === 'addontemplates'
        ? []
        : valuesOf(winner, state);
    }),
  };
}

function valuesOf({ reference }: Candidate, { configs }: State): ValueChange[] {
  const config = configs.find(reference);
  if (config === undefined) return [];
  const object = objectWords(config, objectKey(reference.namespace, reference.name));
  return leavesOf(contentOf(config), config.object.kind)
    .filter(({ path, value }) => !isNameOfEntry(path, value))
    .map(({ path, fieldPath, value, secret }) => ({
      object,
      path,
      after: value,
      ...(secret && { secret }),
      side: 'head',
      location: config.origin.locate(fieldPath),
    }));
}

function isChanged({ before, after }: ConfigChange): boolean {
  const text = (uses: readonly ConfigUse[]): string =>
    uses.map(({ name, specHash }) => `${name} ${specHash}`).join();
  return text(before) !== text(after);
}

function resourceOf({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return groupResource(group, resource);
}

function useOf(candidate: Candidate, { configs }: State): ConfigUse {
  const { reference, origin, path } = candidate;
  return {
    name: objectKey(reference.namespace, reference.name),
    from: levelOf(candidate),
    specHash: reference.specHash === '' ? configs.hash(reference) : reference.specHash,
    location: origin.locate(path),
  };
}

/** Returns `default`, `cluster` or `placement namespace/name`. */
export function levelOf({ level, placement = '' }: Candidate): string {
  return level === 'placement' ? `placement ${placement}` : level;
}

/** The difference between two uses of configurations. */
export interface ComparedUse {
  readonly cause: Cause;
  readonly values: readonly ValueChange[];
  /** The objects of both uses. A missing one is undefined. */
  readonly before: Admitted | undefined;
  readonly after: Admitted | undefined;
  /** Those of `values`, in the same order. */
  readonly differences: readonly Difference[];
}

function compareUse(
  from: Candidate | undefined,
  to: Candidate | undefined,
  { base, head }: Pair,
  silent: boolean,
): ComparedUse | undefined {
  const before = from && base.configs.find(from.reference);
  const after = to && head.configs.find(to.reference);
  const earlier = from && objectKey(from.reference.namespace, from.reference.name);
  const later = to && objectKey(to.reference.namespace, to.reference.name);
  const differences = compareValues(contentOf(before), contentOf(after), (after ?? before)?.object.kind);
  const sides = { before, after, differences: silent ? [] : differences };
  const values = silent
    ? []
    : differences.map(({ path, fieldPath, ...sides }): ValueChange => {
        const gone = !('after' in sides) && before !== undefined;
        const place = gone ? before : after;
        return {
          object: objectWords(after ?? before, later ?? earlier ?? ''),
          path,
          ...sides,
          side: gone ? 'base' : 'head',
          ...(place && { location: place.origin.locate(fieldPath) }),
        };
      });
  if (earlier !== later) {
    const used = to ?? from;
    if (used === undefined) return undefined;
    const words =
      later === undefined
        ? `${levelOf(used)} no longer names ${earlier ?? ''}`
        : `${levelOf(used)} names ${later}${earlier === undefined ? '' : `, previously ${earlier}`}`;
    const location = used.origin.locate(used.path);
    return {
      cause: {
        kind: 'configuration edited',
        text: words,
        side: to === undefined ? 'base' : 'head',
        location,
      },
      values,
      ...sides,
    };
  }
  const [first] = differences;
  if (first === undefined) return undefined;
  const place = after ?? before;
  const text = `${objectWords(place, later ?? '')} was ${after === undefined ? 'removed' : before === undefined ? 'added' : 'edited'}`;
  const locatable = 'after' in first || after === undefined ? first.fieldPath : [];
  return {
    cause: {
      kind: 'configuration edited',
      text,
      side: after === undefined ? 'base' : 'head',
      ...(place && { location: place.origin.locate(locatable) }),
    },
    values,
    ...sides,
  };
}

function objectWords(config: Admitted | undefined, key: string): string {
  return config === undefined ? key : `${config.object.kind} ${key}`;
}

/** As addon-framework GetSpecHash: apiVersion, kind, metadata and status never count. */
export function contentOf(config: Admitted | undefined): unknown {
  if (config === undefined) return undefined;
  const {
    apiVersion: _apiVersion,
    kind: _kind,
    metadata: _metadata,
    status: _status,
    ...content
  } = config.object;
  return content;
}
