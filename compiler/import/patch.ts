import type { FieldPath } from '../field-path.ts';
import { call, literal, plain, type Statement } from './expression.ts';

/** `object.addJsonPatch(JsonPatch.add(…))`, for what the props of a construct do not have. */
export function patch(variable: string, path: FieldPath, value: unknown): Statement {
  const pointer = path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const operation = call('JsonPatch', 'add', literal(pointer), plain(value, path));
  return { value: call(variable, 'addJsonPatch', operation), path };
}
