import type { Code } from '../../model/codes.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { pointAt } from '../../model/point-at.ts';
import { clusterCount } from '../../model/words.ts';
import type { Tallied } from '../templates/tally.ts';
import type { Delivery } from './deliveries.ts';

/** Returns a finding about a manifest of a delivery, which counts the clusters of all classes with the same finding. */
export function found(
  code: Code,
  { holder }: Pick<Delivery, 'holder'>,
  { path, message, hint, clusters }: Found,
): Tallied {
  const { kind, metadata } = holder.object;
  return {
    key: JSON.stringify([code, kind, metadata.namespace, metadata.name, path, message]),
    clusters,
    tell: (count) =>
      diagnostic(code, {
        message: count === 0 ? message : `${message} (${clusterCount(count)})`,
        ...pointAt(holder, path),
        hint,
      }),
  };
}

interface Found {
  readonly path: FieldPath;
  readonly message: string;
  readonly hint: string;
  /** The number of clusters of this class. */
  readonly clusters: number;
}
