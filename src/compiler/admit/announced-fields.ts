import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { KindVersion } from '../../../schemas/index.ts';
import type { Fault } from './fault.ts';

/** Reports the fields of an object that only pull requests of OCM describe. */
export function announcedFields(object: JsonMap, { announced = [] }: KindVersion): Fault[] {
  return announced.flatMap(({ field, isPredicted }): Fault[] => {
    let value: unknown = object;
    for (const step of field) value = isJsonMap(value) ? value[step] : undefined;
    if (value === undefined) return [];
    return [
      {
        code: 'FW2031',
        field,
        message: `${field.at(-1) ?? ''} is known only from pull requests of OCM${isPredicted ? '' : ', and predictions do not read it'}`,
        hint: 'compare the result with a hub before you rely on it: names, values and effects can still change',
      },
    ];
  });
}
