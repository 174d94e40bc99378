import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { waveAnnotation, withAnnotations } from '../../ocm/annotations.ts';
import { contentHashAnnotation, workCountAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { unmarked } from './promotion.ts';

/** Lines of annotations that say nothing about the content. No manifest of a work is indented so little. */
const markers = new RegExp(
  `^ {4}(?:${[contentHashAnnotation, workCountAnnotation, waveAnnotation].map(escaped).join('|')}): .*\\n`,
  'gm',
);
const emptyAnnotations = /^ {2}annotations:\n(?! {4})/gm;
const marker = new RegExp(`^ {4}${escaped(contentHashAnnotation)}: ["']?([0-9a-f]{16})["']?\\n`, 'm');

/**
 * Returns the hash of the content of a cluster's file: without sync waves, which have no meaning inside of a wave, and without the
 * annotations that name the hash.
 */
export function contentHash(text: string): string {
  const content = text.replace(markers, '').replace(emptyAnnotations, '');
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/** Returns the content hash that the objects of a file have on the hub. */
export function markerOf(text: string): string {
  return marker.exec(text)?.[1] ?? unmarked;
}

/** Returns the objects of a cluster with their content hash. */
export function marked(
  [addOn, ...works]: readonly [KubernetesObject, ...KubernetesObject[]],
  hash: string,
): readonly [KubernetesObject, ...KubernetesObject[]] {
  return [
    withAnnotations(addOn, { [contentHashAnnotation]: hash, [workCountAnnotation]: String(works.length) }),
    ...works.map((work) => withAnnotations(work, { [contentHashAnnotation]: hash })),
  ];
}

function escaped(text: string): string {
  return text.replace(/[.]/g, '\\$&');
}
