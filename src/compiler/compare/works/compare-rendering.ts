import type { ManifestWorkV1 } from '../../../../schemas/types.gen.ts';
import { wordsOf } from '../../render/sources/cluster-secrets.ts';
import type { ClusterRendering } from '../../render/render-result.ts';
import { compareValues } from '../compare-values.ts';
import type { ValueChange } from '../change.ts';

/**
 * Compares what the hub creates from an add-on on one cluster: its manifests, their options in the work, and the add-on's status.
 * The annotation with the configurations' hashes does not count, because no agent reads it.
 */
export function compareRendering(base: ClusterRendering, head: ClusterRendering): ValueChange[] {
  const before = partsOf(base);
  const after = partsOf(head);
  const values: ValueChange[] = [];
  for (const object of new Set([...after.keys(), ...before.keys()])) {
    for (const { path, fieldPath: _fieldPath, ...sides } of compareValues(
      before.get(object),
      after.get(object),
    )) {
      values.push({ object, path, ...sides, side: 'after' in sides ? 'head' : 'base' });
    }
  }
  return values;
}

/** Follows the name of an object that the hosting cluster gets, in hosted mode. */
export const onHosting = ' (hosting cluster)';

function optionsOf({ spec = {} }: Partial<ManifestWorkV1> = {}): object {
  const { deleteOption, manifestConfigs, executor } = spec;
  return { deleteOption, manifestConfigs, executor };
}

/**
 * Returns the parts to compare, by names without the cluster name, so that clusters with the same change are reported together.
 */
function partsOf({
  addOn,
  cluster,
  works,
  status,
  roleBindings,
  undelivered = [],
}: ClusterRendering): ReadonlyMap<string, unknown> {
  const parts = new Map<string, unknown>();
  for (const { metadata: workMetadata, spec } of works) {
    const where = workMetadata.namespace === cluster ? '' : onHosting;
    for (const manifest of spec?.workload?.manifests ?? []) {
      const { kind = '', metadata } = manifest as {
        kind?: string;
        metadata?: { namespace?: string; name?: string };
      };
      const name =
        metadata?.namespace === undefined ? metadata?.name : `${metadata.namespace}/${metadata.name}`;
      parts.set(`${kind} ${name ?? ''}${where}`, manifest);
    }
  }
  for (const object of undelivered) parts.set(`${wordsOf(object)} (not delivered)`, object);
  const [managed, hosting] = [true, false].map((isManaged) =>
    works.find(({ metadata }) => (metadata.namespace === cluster) === isManaged),
  );
  parts.set(`ManifestWork addon-${addOn}-deploy`, { spec: optionsOf(managed) });
  if (hosting !== undefined)
    parts.set(`ManifestWork addon-${addOn}-deploy${onHosting}`, {
      metadata: { namespace: hosting.metadata.namespace },
      spec: optionsOf(hosting),
    });
  const { registrations, namespace, conditions } = status;
  parts.set(`ManagedClusterAddOn ${addOn}`, {
    status: { namespace, registrations, conditions: conditions.filter(({ status }) => status !== 'True') },
  });
  for (const { kind, metadata, roleRef, subjects } of roleBindings) {
    const name = metadata.namespace === cluster ? metadata.name : `${metadata.namespace}/${metadata.name}`;
    parts.set(`${kind} ${name}`, { roleRef, subjects });
  }
  return parts;
}
