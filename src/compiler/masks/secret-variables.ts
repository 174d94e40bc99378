import { isJsonMap } from '../../base/json/json-map.ts';
import type { Inventory } from '../model/inventory.ts';
import { secretKind, secretMask } from './secrets.ts';

/** Returns the variables that templates insert into Secrets. Their values in a configuration are secret too. */
export function secretVariables(
  inventories: readonly Pick<Inventory, 'addOnTemplates'>[],
): ReadonlySet<string> {
  return variablesOfSecrets(
    inventories.flatMap(({ addOnTemplates }) =>
      [...addOnTemplates.values()].flatMap(({ object }) => object.spec.agentSpec.workload?.manifests ?? []),
    ),
  );
}

/** Returns the variables that Secrets among manifests contain. */
export function variablesOfSecrets(manifests: readonly unknown[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const manifest of manifests) {
    if (!isJsonMap(manifest) || manifest['kind'] !== secretKind) continue;
    const content = JSON.stringify([manifest['data'], manifest['stringData']]);
    for (const [, name = ''] of content.matchAll(/\{\{\s*(\w+)\s*\}\}/g)) names.add(name);
  }
  return names;
}

/**
 * Returns a value at a path of an AddOnDeploymentConfig with masked values of secret variables. Any other value is returned
 * unchanged.
 */
export function withoutSecretVariables(
  path: string,
  value: unknown,
  names: ReadonlySet<string>,
  mask: string = secretMask,
): unknown {
  if (names.size === 0 || value === undefined) return value;
  const [, list, name, field] = /(?:^|\.)(customizedVariables)(?:\[(.*?)\](?:\.(\w+))?)?$/.exec(path) ?? [];
  if (field === undefined)
    return list === undefined ? withMaskedLists(value, names) : withMaskedEntries(value, names);
  return field === 'value' && names.has(name ?? '') ? mask : value;
}

/** Masks the lists of variables anywhere in a value. */
function withMaskedLists(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value))
    return same(
      value,
      value.map((entry) => withMaskedLists(entry, names)),
    );
  if (!isJsonMap(value)) return value;
  const masked = Object.entries(value).map(
    ([field, inner]) =>
      [
        field,
        field === 'customizedVariables' ? withMaskedEntries(inner, names) : withMaskedLists(inner, names),
      ] as const,
  );
  return masked.some(([field, inner]) => inner !== value[field]) ? Object.fromEntries(masked) : value;
}

/** Masks a list of variables, or one variable. */
function withMaskedEntries(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value))
    return same(
      value,
      value.map((entry) => withMaskedEntries(entry, names)),
    );
  if (!isJsonMap(value) || typeof value['name'] !== 'string' || !names.has(value['name'])) return value;
  return { ...value, value: secretMask };
}

/** Returns the original list if no entry is different. */
function same(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.some((entry, index) => entry !== before[index]) ? after : before;
}
