import { isGoJsonObject, type GoJsonObject } from '../../../base/json/go-json.ts';
import { kindKey } from '../../../base/names/resource-name.ts';
import { nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import type { HookEvent, RenderedManifest } from '../../../engines/charts/index.ts';
import { hookResources, preDeleteHook } from '../../../ocm/hook-work.ts';
import { scopesIn, type KindScope } from '../../../ocm/clusters/kind-scope.ts';
import type { RenderFault } from '../fault.ts';
import { fittingDefinition } from './large-definition.ts';

/** What decides where the objects of a release are. */
export interface ReleaseInputs {
  /** The namespace of namespaced objects without one. */
  readonly namespace: string;
  /** Whether objects of a kind have a namespace, by `group/Kind`. */
  readonly scopes: ReadonlyMap<string, KindScope>;
}

/** An object of a release, and the file of the chart that it comes from. */
interface ReleaseObject {
  readonly object: GoJsonObject;
  readonly file: string;
}

/**
 * Returns the objects that Helm's client would create for a release, in its order: files of `crds/`, hooks before the installation,
 * the objects of the release, hooks after it. A work has no hooks, so those of an installation or an upgrade become ordinary objects,
 * Jobs and Pods before a deletion become pre-delete hooks of OCM, and others are left out.
 */
export function releaseObjects(
  manifests: readonly RenderedManifest[],
  inputs: ReleaseInputs,
): { readonly objects: readonly ReleaseObject[]; readonly warnings: readonly RenderFault[] } {
  const phases = manifests.map((manifest) => ({ manifest, phase: phaseOf(manifest) }));
  const inPhase = (wanted: Phase): RenderedManifest[] =>
    phases.flatMap(({ manifest, phase }) => (phase === wanted ? [manifest] : []));
  const delivered = [
    ...inPhase('definition'),
    ...inPhase('before').toSorted(byWeight),
    ...inPhase('release'),
    ...inPhase('after').toSorted(byWeight),
    ...inPhase('delete').toSorted(byWeight).map(asPreDeleteHook),
  ];
  const left = inPhase('never').filter(
    ({ hook }) => hook?.events.every((event) => event === 'test') !== true || hook.events.length === 0,
  );
  const placed = placeObjects(delivered, inputs);
  const fitting = placed.objects.map(({ object, file }) => ({ object: fittingDefinition(object), file }));
  const shortened = fitting.filter(({ object }, index) => object !== placed.objects[index]?.object);
  return {
    objects: fitting,
    warnings: [
      ...hookWarnings([...inPhase('before'), ...inPhase('after')], left),
      ...placed.warnings,
      ...definitionNotes(shortened),
    ],
  };
}

/** Whether an object that a chart renders is delivered by Helm's rules. */
export function isDelivered(manifest: RenderedManifest): boolean {
  return phaseOf(manifest) !== 'never';
}

/** When an object is created. */
type Phase = 'definition' | 'before' | 'release' | 'after' | 'delete' | 'never';

function phaseOf({ file, hook, kind }: RenderedManifest): Phase {
  if (hook === undefined)
    return /(?:^|\/)crds\//.test(file) && !/(?:^|\/)templates\//.test(file) ? 'definition' : 'release';
  const has = (event: HookEvent): boolean => hook.events.includes(event);
  // A work does not distinguish an installation from an upgrade. It begins with an installation, whose events therefore decide.
  if (has('pre-install')) return 'before';
  if (has('post-install')) return 'after';
  if (has('pre-upgrade')) return 'before';
  if (has('post-upgrade')) return 'after';
  if (!has('pre-delete')) return 'never';
  // What a hook needs must be there before it runs.
  return hookResources.has(kind) ? 'delete' : 'after';
}

/** As hookByWeight of Helm: hooks of one weight by name. */
function byWeight(
  { hook: a, object: one }: RenderedManifest,
  { hook: b, object: other }: RenderedManifest,
): number {
  const difference = (a?.weight ?? 0) - (b?.weight ?? 0);
  if (difference !== 0) return difference;
  const [first, second] = [nameOf(one), nameOf(other)];
  return first === second ? 0 : first < second ? -1 : 1;
}

function asPreDeleteHook(manifest: RenderedManifest): RenderedManifest {
  const { object } = manifest;
  const metadata = metadataOf(object);
  const annotations = isGoJsonObject(metadata['annotations']) ? metadata['annotations'] : {};
  return {
    ...manifest,
    object: { ...object, metadata: { ...metadata, annotations: { ...annotations, [preDeleteHook]: '' } } },
  };
}

function metadataOf({ metadata }: GoJsonObject): GoJsonObject {
  return isGoJsonObject(metadata) ? metadata : {};
}

function hookWarnings(
  ordinary: readonly RenderedManifest[],
  left: readonly RenderedManifest[],
): RenderFault[] {
  const installs = ordinary.filter(
    ({ hook }) => hook?.events.includes('pre-delete') !== true || hook.events.length > 1,
  );
  return [
    ...(installs.length === 0
      ? []
      : [
          {
            code: 'FW6048' as const,
            error: `${countOf(installs, 'hook')} of Helm become${installs.length === 1 ? 's' : ''} ${installs.length === 1 ? 'an ordinary object' : 'ordinary objects'}, and nothing waits until a Job is complete: ${wordsOf(installs)}`,
          },
        ]),
    ...(left.length === 0
      ? []
      : [
          {
            code: 'FW6048' as const,
            error: `${countOf(left, 'hook')} of Helm ${left.length === 1 ? 'is' : 'are'} left out, because a work has no such event: ${wordsOf(left)}`,
            hint: 'do what the hook does in another way, such as a Job that is an ordinary object',
          },
        ]),
  ];
}

function definitionNotes(shortened: readonly ReleaseObject[]): RenderFault[] {
  return shortened.map(({ object }) => ({
    code: 'FW6052' as const,
    error: `CustomResourceDefinition ${nameOf(object)} is delivered without the descriptions in its schemas: with them, it is too large for a work`,
  }));
}

function countOf(list: readonly unknown[], noun: string): string {
  return `${list.length} ${noun}${list.length === 1 ? '' : 's'}`;
}

function wordsOf(manifests: readonly RenderedManifest[]): string {
  const shown = manifests
    .slice(0, 3)
    .map(({ object, kind, hook }) => `${kind} ${nameOf(object)} (${hook?.text ?? ''})`);
  const others = manifests.length - shown.length;
  return `${shown.join(', ')}${others === 0 ? '' : `, and ${others} more`}`;
}

/** As the visitors of Helm's client: a namespaced object without a namespace gets that of the release, others have none. */
function placeObjects(
  manifests: readonly RenderedManifest[],
  { namespace, scopes }: ReleaseInputs,
): { readonly objects: ReleaseObject[]; readonly warnings: RenderFault[] } {
  const scopeOf = scopesIn(
    manifests.map(({ apiVersion, kind, object }) => ({ apiVersion, kind, spec: object['spec'] })),
  );
  const unknown = new Map<string, RenderedManifest>();
  const objects = manifests.map((manifest): ReleaseObject => {
    const { object, file } = manifest;
    const key = kindKey(manifest);
    const scope = scopes.get(key) ?? scopeOf(manifest);
    const isPlaced = namespaceOf(object) !== '';
    if (scope === 'Cluster') return { object: withoutNamespace(object), file };
    if (isPlaced) return { object, file };
    if (scope === undefined && !unknown.has(key)) unknown.set(key, manifest);
    return { object: { ...object, metadata: { ...metadataOf(object), namespace } }, file };
  });
  return {
    objects,
    warnings: Array.from(unknown, ([key, { object, kind }]) => ({
      code: 'FW6049' as const,
      error: `${kind} ${nameOf(object)} has no namespace, and it is unknown whether ${key} is namespaced: it gets the namespace "${namespace}" of the release`,
      hint: `write \`scopes: { '${key}': 'Namespaced' }\`, or 'Cluster', into the HelmChart`,
    })),
  };
}

function withoutNamespace(object: GoJsonObject): GoJsonObject {
  if (!Object.hasOwn(metadataOf(object), 'namespace')) return object;
  const { namespace: _, ...metadata } = metadataOf(object);
  return { ...object, metadata };
}
