import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { revisionOfAnnotation } from '../../ocm/fleetwright-annotations.ts';
import type { ResolvedAddOn } from '../configure/resolved-add-on.ts';
import { objectKey } from '../model/inventory.ts';
import { deploymentConfigOf } from '../render/inputs.ts';
import { isRevisionName } from '../revisions/name-by-content.ts';
import type { VariablesOf } from './statement.ts';
import type { ProvedState } from './verdict.ts';

export function writtenNamesIn(states: readonly ProvedState[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { inventory } of states)
    for (const { object } of inventory.objects) {
      const { namespace, name = '', annotations } = object.metadata;
      const written = annotations?.[revisionOfAnnotation];
      if (written !== undefined && isRevisionName(name, written))
        names.set(objectKey(namespace, name), objectKey(namespace, written));
    }
  return names;
}

export function variablesIn(addOns: ReadonlyMap<string, ProvedState>): VariablesOf {
  const cache = new Map<string, ReadonlyMap<string, string>>();
  return (name, installed) =>
    getOrInsertComputed(cache, `${name} ${installed.identity}`, () => {
      const state = addOns.get(name);
      const addOn: ResolvedAddOn | undefined = state?.configuration.get(name);
      if (state === undefined || addOn === undefined) return new Map();
      const config = deploymentConfigOf(addOn, installed.references, state.inventory);
      const variables =
        config === undefined || 'error' in config ? [] : (config.object.spec.customizedVariables ?? []);
      return new Map(variables.map(({ name: variable, value = '' }) => [variable, value]));
    });
}
