import { createHash } from 'node:crypto';
import { compareText } from '../base/collections/compare-text.ts';

/** Returns the name of a revision. It depends on all fields of `spec`, which the hub hashes, and not on their order. */
export function revisionName(name: string, spec: unknown): string {
  const content = JSON.stringify(spec, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b)))
      : value,
  );
  return `${name}-${createHash('sha256').update(content).digest('hex').slice(0, 10)}`;
}
