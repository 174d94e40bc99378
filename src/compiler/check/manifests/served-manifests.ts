import { addToGroup, groupBy } from '../../../base/collections/groups.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { groupOf } from '../../../base/names/resource-name.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { objectKey, objectsOfApp, type Admitted } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import type { GoJsonObject } from '../../../base/json/go-json.ts';
import { clusterCount, quote } from '../../model/words.ts';
import type { CheckInput, Rule } from '../rule.ts';
import { objectWords } from '../templates/rendered-sample.ts';
import { usedTemplates } from '../templates/used-templates.ts';
import { manifestFaults } from './manifest-faults.ts';
import type { ManifestFault } from './manifest-fault.ts';
import { workGroup } from '../../../../schemas/groups.ts';

/** The manifests of one object and the clusters that receive them. */
interface Delivered {
  readonly holder: Admitted<Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>>;
  readonly path: FieldPath;
  readonly manifests: readonly object[];
  readonly clusters: () => readonly string[];
  /** A separate rule reports wrong types in Deployments and DaemonSets of templates. */
  readonly isTemplate: boolean;
}

/**
 * Reports manifests of templates and works that the API server of a managed cluster would reject or change: kinds, fields and
 * types that its Kubernetes release does not have.
 */
export const servedManifests: Rule = {
  codes: ['FW7131', 'FW7132', 'FW7133'],
  *check(input) {
    for (const delivered of deliveredManifests(input)) {
      // Most manifests are right everywhere, and their clusters need not be listed.
      let minors: readonly Minor[] | undefined;
      const definedGroups = groupsOf(delivered.manifests);
      for (const [index, manifest] of delivered.manifests.entries())
        for (const fault of manifestFaults(manifest, definedGroups)) {
          minors ??= minorsOf(delivered.clusters(), input);
          yield* manifestFindings(fault, manifest, index, delivered, minors);
        }
    }
  },
};

function* manifestFindings(
  { code, path, what, consequence, hint, isIn }: ManifestFault,
  manifest: object,
  index: number,
  { holder, path: manifestsPath, isTemplate }: Delivered,
  minors: readonly Minor[],
): Iterable<Diagnostic> {
  if (code === 'FW7133' && isTemplate && isDecorated(manifest)) return;
  const affected = minors.filter(({ minor }) => isIn(minor));
  // Without clusters the release is unknown.
  if (affected.length === 0 && !(minors.length === 0 && isIn(undefined))) return;
  yield diagnostic(code, {
    message: `${objectWords(manifest as GoJsonObject)}: ${what}, so ${consequence}${clusterWords(affected)}`,
    ...pointAt(holder, [...manifestsPath, index, ...path]),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** A release of Kubernetes and the clusters that run it. */
interface Minor {
  readonly minor: number | undefined;
  readonly clusters: readonly string[];
}

/** Returns ` on 3 clusters, such as "prod-1" (Kubernetes 1.30)`. */
function clusterWords(minors: readonly Minor[]): string {
  const [first] = minors;
  if (first === undefined) return '';
  const count = minors.reduce((sum, { clusters }) => sum + clusters.length, 0);
  const { minor, clusters } = first;
  const release = minor === undefined ? '' : ` (Kubernetes 1.${minor})`;
  return ` on ${clusterCount(count)}, such as ${quote(clusters[0] ?? '')}${release}`;
}

function minorsOf(clusters: readonly string[], { decisions }: CheckInput): readonly Minor[] {
  const byMinor = new Map<number | undefined, string[]>();
  for (const cluster of clusters) {
    const version = decisions.clusters.get(cluster)?.status?.version?.kubernetes ?? '';
    const [, text] = /^v?1\.(\d+)/.exec(version) ?? [];
    const minor = text === undefined ? undefined : Number(text);
    addToGroup(byMinor, minor, cluster);
  }
  return Array.from(byMinor, ([minor, named]) => ({ minor, clusters: named }));
}

function* deliveredManifests(input: CheckInput): Iterable<Delivered> {
  const { inventory, decisions, rendering } = input;
  const users = groupBy(usedTemplates(rendering), ({ template }) => template.object.metadata.name ?? '');
  for (const [name, template] of inventory.addOnTemplates) {
    if (template.source !== 'app') continue;
    yield {
      holder: template,
      path: ['spec', 'agentSpec', 'workload', 'manifests'],
      manifests: template.object.spec.agentSpec.workload?.manifests ?? [],
      clusters: () => {
        const groups = (users.get(name) ?? []).flatMap((used) => used.groups);
        return [...new Set(groups.flatMap((group) => group.clusters))];
      },
      isTemplate: true,
    };
  }
  for (const work of objectsOfApp(inventory)) {
    const { kind, metadata } = work.object;
    const spec = work.object['spec'] as WorkSpec | undefined;
    const { namespace = '' } = metadata;
    if (groupOf(work.object.apiVersion) !== workGroup) continue;
    if (kind === 'ManifestWork') {
      yield {
        holder: work,
        path: ['spec', 'workload', 'manifests'],
        manifests: spec?.workload?.manifests ?? [],
        clusters: () => (decisions.clusters.has(namespace) ? [namespace] : []),
        isTemplate: false,
      };
    } else if (kind === 'ManifestWorkReplicaSet') {
      yield {
        holder: work,
        path: ['spec', 'manifestWorkTemplate', 'workload', 'manifests'],
        manifests: spec?.manifestWorkTemplate?.workload?.manifests ?? [],
        clusters: () => {
          const selected = (spec?.placementRefs ?? []).flatMap(
            ({ name = '' }) => decisions.byPlacement.get(objectKey(namespace, name))?.selected ?? [],
          );
          return [...new Set(selected)];
        },
        isTemplate: false,
      };
    }
  }
}

interface WorkSpec {
  readonly workload?: { readonly manifests?: readonly object[] };
  readonly placementRefs?: readonly { readonly name?: string }[];
  readonly manifestWorkTemplate?: { readonly workload?: { readonly manifests?: readonly object[] } };
}

/** Returns the groups of the CustomResourceDefinitions in a list of manifests. */
function groupsOf(manifests: readonly object[]): ReadonlySet<string> {
  const groups = manifests.flatMap((manifest) => {
    const { kind, spec } = manifest as { kind?: unknown; spec?: { group?: unknown } };
    return kind === 'CustomResourceDefinition' && typeof spec?.group === 'string' ? [spec.group] : [];
  });
  return new Set(groups);
}

/** Whether the hub decodes the manifest into a Go struct. The hub itself reports decoding errors. */
function isDecorated(manifest: object): boolean {
  const { apiVersion, kind } = manifest as { apiVersion?: string; kind?: string };
  return apiVersion?.startsWith('apps/') === true && (kind === 'Deployment' || kind === 'DaemonSet');
}
