import { isJsonList, isJsonMap } from '../../../base/json/json-map.ts';
import { groupOf, guessResource } from '../../../base/names/resource-name.ts';
import type { RequiredField } from '../../../ocm/add-ons/requirements.ts';
import { referenceRead } from '../../configure/effective.ts';
import type { EffectiveConfiguration } from '../../configure/resolved-add-on.ts';
import { objectKey, type Inventory } from '../../model/inventory.ts';
import { quote } from '../../model/words.ts';

/** The value of a field of the configuration that an add-on uses. */
export interface FoundField {
  /** Undefined if the object does not have the field. */
  readonly value?: string;
  /** The object. Undefined if the add-on uses none of the kind, or the inputs do not have it. */
  readonly object?: string;
}

/** Returns the value of a field of a configuration: a scalar as text, anything else as JSON. */
export function findField(
  { resource, path }: Omit<RequiredField, 'value'>,
  { references, reads }: EffectiveConfiguration,
  { objects }: Pick<Inventory, 'objects'>,
): FoundField {
  const reference = referenceRead({ references, reads }, (each) => each.resource === resource);
  if (reference === undefined) return {};
  const config = objects.find(
    ({ object: { apiVersion, kind, metadata } }) =>
      metadata.name === reference.name &&
      (metadata.namespace ?? '') === (reference.namespace ?? '') &&
      groupOf(apiVersion) === reference.group &&
      guessResource(kind) === resource,
  );
  if (config === undefined) return {};
  const { kind, metadata } = config.object;
  const object = `${kind} ${quote(objectKey(metadata.namespace, metadata.name ?? ''))}`;
  let value: unknown = config.object;
  for (const name of path.split('.'))
    value = isJsonMap(value) ? value[name] : isJsonList(value) ? value[Number(name)] : undefined;
  if (value === undefined || value === null) return { object };
  return { object, value: typeof value === 'string' ? value : JSON.stringify(value) };
}
