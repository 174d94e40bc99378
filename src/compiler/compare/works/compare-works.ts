import { goJson } from '../../../base/json/go-json.ts';
import { isJsonMap } from '../../../base/json/json-map.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { formatFieldPath, type FieldPath } from '../../model/field-path.ts';
import { objectKey, type Admitted } from '../../model/inventory.ts';
import type { Location } from '../../model/origin.ts';
import { compareValues } from '../compare-values.ts';
import type { Cause, Side, ValueChange } from '../change.ts';
import { workSpecPath } from './direct-works.ts';

/** The differences in the works that were written for one cluster. */
export interface WorkComparison {
  /** Empty if the works have equal content. */
  readonly causes: readonly Cause[];
  /** Empty if the cluster gets the same manifests, even from another work. */
  readonly values: readonly ValueChange[];
}

/** A part of a work that is reported under a separate name. */
interface Part {
  readonly value: unknown;
  readonly work: Admitted;
  readonly path: FieldPath;
  /** The prefix of its paths in reports. */
  readonly prefix: string;
}

/**
 * Compares the works of one cluster: manifest by manifest, regardless of the work that contains them, and the options of the
 * works.
 */
export function compareWorks(before: readonly Admitted[], after: readonly Admitted[]): WorkComparison {
  const causes = workCauses(before, after);
  if (causes.length === 0) return { causes, values: [] };
  const earlier = partsOf(before);
  const later = partsOf(after);
  const values: ValueChange[] = [];
  for (const object of new Set([...later.keys(), ...earlier.keys()])) {
    const [from, to] = [earlier.get(object), later.get(object)];
    for (const { path, fieldPath, ...sides } of compareValues(from?.value, to?.value)) {
      const side: Side = 'after' in sides || from === undefined ? 'head' : 'base';
      const part = side === 'head' ? to : from;
      values.push({
        object,
        path: [part?.prefix ?? '', path].filter((text) => text !== '').join('.'),
        ...sides,
        side,
        ...(part && { location: place(part, fieldPath) }),
      });
    }
  }
  return { causes, values };
}

function workCauses(before: readonly Admitted[], after: readonly Admitted[]): Cause[] {
  const [earlier, later] = [before, after].map(
    (works) => new Map(works.map((work) => [work.object.metadata.name ?? '', work])),
  );
  const causes: Cause[] = [];
  for (const name of new Set([...(later?.keys() ?? []), ...(earlier?.keys() ?? [])])) {
    const [from, to] = [earlier?.get(name), later?.get(name)];
    const [first] = compareValues(from && specOf(from), to && specOf(to));
    const work = to ?? from;
    if (first === undefined || work === undefined) continue;
    const how = from === undefined ? 'is new' : to === undefined ? 'is gone' : 'was edited';
    const isInHead = to !== undefined && ('after' in first || from === undefined);
    const part = { work: isInHead ? to : (from ?? work), path: workSpecPath(work) };
    causes.push({
      kind: 'work edited',
      text: `${workWords(work)} ${how}`,
      side: isInHead ? 'head' : 'base',
      location: from === undefined || to === undefined ? work.origin.location : place(part, first.fieldPath),
    });
  }
  return causes;
}

/**
 * Returns `ManifestWork agent` or `ManifestWorkReplicaSet agents/agent`, so that clusters with the same change are reported
 * together.
 */
function workWords({ object: { kind, metadata } }: Admitted): string {
  const { namespace, name = '' } = metadata;
  return `${kind} ${kind === 'ManifestWork' ? name : objectKey(namespace, name)}`;
}

function place({ work, path }: Pick<Part, 'work' | 'path'>, inner: FieldPath): Location {
  return work.origin.locate([...path, ...inner]);
}

function partsOf(works: readonly Admitted[]): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  for (const work of works) {
    const path = workSpecPath(work);
    const { workload, ...rest } = specOf(work);
    for (const [index, manifest] of manifestsOf(workload).entries()) {
      const manifestPath = [...path, 'workload', 'manifests', index];
      parts.set(manifestWords(manifest), { value: manifest, work, path: manifestPath, prefix: '' });
    }
    const prefix = formatFieldPath(path);
    if (Object.keys(rest).length > 0) parts.set(workWords(work), { value: rest, work, path, prefix });
  }
  return parts;
}

/** Returns `Deployment agents/agent`, in the form that reports use for rendered manifests. */
export function manifestWords({ kind = '', metadata }: Partial<KubernetesObject>): string {
  return `${kind} ${objectKey(metadata?.namespace, metadata?.name ?? '')}`;
}

function specOf(work: Admitted): Readonly<Record<string, unknown>> {
  let value: unknown = work.object;
  for (const field of workSpecPath(work)) value = isJsonMap(value) ? value[String(field)] : undefined;
  return isJsonMap(value) ? value : {};
}

function manifestsOf(workload: unknown): readonly Partial<KubernetesObject>[] {
  const manifests = isJsonMap(workload) ? workload['manifests'] : undefined;
  return Array.isArray(manifests) ? manifests.filter(isJsonMap) : [];
}

/** Returns the content of the works as one text. Clusters with equal texts change alike. */
export function workText(works: readonly Admitted[]): string {
  return works.map((work) => `${work.object.metadata.name ?? ''} ${goJson(specOf(work))}`).join('\n');
}
