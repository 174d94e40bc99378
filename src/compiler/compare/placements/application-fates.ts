import { isJsonList, isJsonMap } from '../../../base/json/json-map.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { fieldAt } from '../../api/placement-references.ts';
import { deletesResources, type GeneratedApplication } from '../../application-sets/application.ts';
import type { Generation } from '../../application-sets/generate-applications.ts';
import type { ApplicationFate } from '../application-change.ts';

/** An Application with what happens to it on one cluster. */
export interface ApplicationWithFate {
  readonly name: string;
  readonly fate: ApplicationFate;
  readonly before?: GeneratedApplication;
  readonly after?: GeneratedApplication;
}

/** What happens to the Applications of an ApplicationSet, by the cluster that they deploy to. */
export interface ApplicationFates {
  /** The clusters with an Application that stays as it is. */
  readonly unchanged: ReadonlySet<string>;
  /** All other Applications. */
  readonly different: ReadonlyMap<string, readonly ApplicationWithFate[]>;
}

/** What the ApplicationSet of the later state does with Applications that exist. */
export interface Syncing {
  readonly updates: boolean;
  readonly deletes: boolean;
}

/** Returns the name of the cluster that an Application deploys to, or its destination if the fleet does not have the cluster. */
export function placeOf({ cluster, object: { spec } }: GeneratedApplication): string {
  if (cluster !== undefined) return cluster;
  const written = fieldAt(spec, ['destination', 'name']) ?? fieldAt(spec, ['destination', 'server']);
  return typeof written === 'string' ? written : 'an unknown cluster';
}

/**
 * Returns the Applications of both states by cluster, with what Argo CD does with them. If it reports an error in the later state,
 * or rejects single Applications, those that exist stay as they are.
 */
export function applicationFates(base: Generation, head: Generation, syncing: Syncing): ApplicationFates {
  const unchanged = new Set<string>();
  const different = new Map<string, ApplicationWithFate[]>();
  const add = (cluster: string, application: ApplicationWithFate): void => {
    getOrInsertComputed(different, cluster, () => []).push(application);
  };
  const later = new Map(head.applications.map((application) => [application.name, application]));
  const keeps = head.error !== undefined || head.deletesNothing === true;
  for (const before of base.applications) {
    const { name } = before;
    const place = placeOf(before);
    const after = later.get(name);
    later.delete(name);
    if (after === undefined) {
      if (keeps || head.invalid.has(name)) unchanged.add(place);
      else add(place, goneFrom(before, syncing));
    } else if (!isDifferent(before, after)) unchanged.add(place);
    else if (!syncing.updates) add(place, { name, before, after, fate: 'stale' });
    else {
      const target = placeOf(after);
      if (place === target) add(place, { name, before, after, fate: 'changed' });
      else {
        add(place, { name, before, fate: 'left' });
        add(target, { name, after, fate: 'created' });
      }
    }
  }
  for (const [name, after] of later) add(placeOf(after), { name, after, fate: 'created' });
  return { unchanged, different };
}

function goneFrom(before: GeneratedApplication, { deletes }: Syncing): ApplicationWithFate {
  const { name, object } = before;
  if (!deletes) return { name, before, after: before, fate: 'kept' };
  return { name, before, fate: deletesResources(object) ? 'deleted' : 'detached' };
}

function isDifferent(
  { object: before }: GeneratedApplication,
  { object: after }: GeneratedApplication,
): boolean {
  return !isEqualData(before, after);
}

/** Whether two values of plain data are equal. The Applications of a state share what does not depend on the cluster. */
function isEqualData(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (isJsonList(one) && isJsonList(other))
    return one.length === other.length && one.every((each, index) => isEqualData(each, other[index]));
  if (!isJsonMap(one) || !isJsonMap(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqualData(one[key], other[key]))
  );
}
