import type { Obstacle } from './bounds.ts';
import { series } from '../model/words.ts';
import { formatFieldPath } from '../model/field-path.ts';
import type { FieldEdit } from './field-edit.ts';
import type { AddOnEffect, Counterexample } from './verdict.ts';

/** Returns a counterexample in words: `a cluster with env=prod`, `c7 with env=dev instead of env=prod`. */
export function counterexampleWords({ cluster, edits }: Counterexample): string {
  if (cluster === undefined) {
    const fields = edits.map((edit) => fieldWords(edit, edit.to));
    return fields.length === 0 ? 'a cluster without labels' : `a cluster with ${series(fields)}`;
  }
  const changes = edits.map((edit) => {
    const after = fieldWords(edit, edit.to);
    return edit.from === undefined ? after : `${after} instead of ${fieldWords(edit, edit.from)}`;
  });
  return changes.length === 0 ? `${cluster} as it is` : `${cluster} with ${series(changes)}`;
}

/** Returns what edits do, in words: `installs a, uninstalls b`. */
export function effectWords(effects: readonly AddOnEffect[]): string {
  const verbs = { installed: 'installs', uninstalled: 'uninstalls', reconfigured: 'reconfigures' } as const;
  const parts = (['uninstalled', 'reconfigured', 'installed'] as const).flatMap((effect) => {
    const names = effects.flatMap((each) => (each.effect === effect ? [each.addOn] : []));
    return names.length === 0 ? [] : [`${verbs[effect]} ${series(names)}`];
  });
  return parts.join(', ');
}

/** Returns why nothing is certain, in words. */
export function obstacleWords({ placement, path, reason }: Obstacle): string {
  if (placement === undefined) return reason;
  const field = path === undefined ? '' : ` ${formatFieldPath(path)}`;
  return `Placement ${placement}${field}: ${reason}`;
}

function fieldWords({ kind, key = '' }: FieldEdit, value: string | undefined): string {
  switch (kind) {
    case 'labels':
      return value === undefined ? `no label ${key}` : `label ${key}=${value}`;
    case 'claims':
      if (key === '') return value === undefined ? 'no other claim' : 'another claim';
      return value === undefined ? `no claim ${key}` : `claim ${key}=${value}`;
    case 'annotations':
      if (key === '') return value === undefined ? 'no other annotation' : 'another annotation';
      return value === undefined ? `no annotation ${key}` : `annotation ${key}=${value}`;
    case 'resources':
      if (key === '') return value === undefined ? 'no other resource' : 'another resource';
      return value === undefined ? `no ${key}` : `${key}=${value}`;
    case 'taints':
      return value === undefined ? `no taint ${key}` : `taint ${key}=${value}`;
    case 'sets':
      return `set ${value ?? 'default'}`;
    case 'version':
      return value === undefined ? 'no version' : `version ${value}`;
    case 'name':
      break;
  }
  return `name ${value ?? ''}`;
}
