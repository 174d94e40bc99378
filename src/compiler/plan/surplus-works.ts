import { groupBy } from '../../base/collections/groups.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { pointAt } from '../model/point-at.ts';
import type { ClusterRendering } from '../render/render-result.ts';
import type { Resolution } from '../resolve.ts';
import { clusterCount } from '../model/words.ts';
import type { Pair } from '../compare/resolution-pair.ts';

/** The largest number of commands in a hint. */
const mostCommands = 3;

/**
 * Returns findings for works of add-ons with compiled delivery that stay on the hub although Git no longer has them: the manifests fit
 * into fewer works, and the add-on stays. The hub deletes such works. Argo CD does not prune objects that have an owner, and no engine
 * prunes works that remain until pre-delete hooks are complete.
 */
export function surplusWorks({ base, head, engine }: Pair): Diagnostic[] {
  if (engine === 'none') return [];
  return [...head.rendered].flatMap(([addOn, groups]): Diagnostic[] => {
    const [before, after] = [base, head].map(({ resolution }) => resolution.configuration.get(addOn));
    if (before?.delivery !== 'compiled' || after?.delivery !== 'compiled') return [];
    const earlierGroups = new Map(
      (base.rendered.get(addOn) ?? []).flatMap((group, index) =>
        group.clusters.map((cluster) => [cluster, index] as const),
      ),
    );
    return groups.flatMap((group): Diagnostic[] => {
      const staying = group.clusters.filter((cluster) => earlierGroups.has(cluster));
      const alike = groupBy(staying, (cluster) =>
        [base, head]
          .map(({ resolution }) => classKey(resolution, addOn, cluster))
          .concat(String(earlierGroups.get(cluster)))
          .join('\n'),
      );
      return [...alike.values()].flatMap((clusters): Diagnostic[] => {
        const surplusOn = (cluster: string): readonly Work[] =>
          surplus(
            base.resolution.rendering.clusterAddOn(addOn, cluster),
            head.resolution.rendering.clusterAddOn(addOn, cluster),
            engine,
          );
        // Clusters of one class differ by their names alone.
        const [first = ''] = clusters;
        const [work, ...more] = surplusOn(first);
        if (work === undefined) return [];
        const commands = clusters.slice(0, mostCommands).map((cluster) => commandFor(surplusOn(cluster)));
        const others = clusters.length - commands.length;
        const works =
          more.length === 0 ? `work ${work.name}` : `${more.length + 1} works, such as ${work.name},`;
        return [
          diagnostic('FW6047', {
            message: `${works} of add-on "${addOn}" ${more.length === 0 ? 'remains' : 'remain'} on ${clusterCount(clusters.length)}, such as "${first}": the manifests fit into fewer works now, and ${engine === 'flux' ? 'Flux' : 'Argo CD'} does not delete ${more.length === 0 ? 'it' : 'them'}`,
            ...pointAt(group.template, ['spec', 'agentSpec', 'workload', 'manifests']),
            hint: `after the change is applied, run ${commands.join(', ')}${others === 0 ? '' : `, and the same for the other ${clusterCount(others)}`}`,
          }),
        ];
      });
    });
  });
}

interface Work {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the works that remain on the hub, of one add-on for one cluster. */
function surplus(
  before: ClusterRendering | undefined,
  after: ClusterRendering | undefined,
  engine: 'argocd' | 'flux',
): readonly Work[] {
  // An add-on that cannot be rendered is not emitted.
  if (before === undefined || after === undefined) return [];
  const waits = before.hooks !== undefined || before.hostingHooks !== undefined;
  const later = new Set(after.works.map((work) => `${work.metadata.namespace}/${work.metadata.name}`));
  return before.works.flatMap(({ metadata: { namespace = '', name = '' } }): readonly Work[] => {
    const isManaged = namespace === before.cluster;
    const isKept = isManaged ? engine === 'argocd' || waits : before.hostingHooks !== undefined;
    // The companion deletes works for a cluster that no longer hosts the add-on.
    const isHosting = isManaged || after.works.some((work) => work.metadata.namespace === namespace);
    return isKept && isHosting && !later.has(`${namespace}/${name}`) ? [{ namespace, name }] : [];
  });
}

function commandFor(works: readonly Work[]): string {
  return [...groupBy(works, ({ namespace }) => namespace)]
    .map(
      ([namespace, each]) =>
        `\`kubectl -n ${namespace} delete manifestwork ${each.map(({ name }) => name).join(' ')}\``,
    )
    .join(', ');
}

function classKey({ rendering }: Resolution, addOn: string, cluster: string): string {
  const { key = '', hosting } = rendering.classesOf(addOn)?.(cluster) ?? {};
  return `${key}\n${hosting?.name ?? ''}\n${hosting?.state ?? ''}`;
}
