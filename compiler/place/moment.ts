import { normalizeTime } from '../rfc3339.ts';

/** The time that a field holds, in milliseconds since 1970; undefined where it holds none that Go can read. */
export function moment(text: string | null | undefined): number | undefined {
  const normal = text === undefined || text === null ? undefined : normalizeTime(text);
  return normal === undefined ? undefined : Date.parse(normal);
}
