import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { Hub } from '../client/hub.ts';
import { releaseOf } from '../client/release.ts';
import { Random } from '../differential/random.ts';
import { webhookMutant, webhookVerdict, workOfSet } from './webhook-mutants.ts';

/** The verdicts of a hub with webhooks on random objects, beside those of the compiler. */
export interface WebhookComparison {
  /** How many objects there were of each kind, and how many of these a webhook rejected. */
  readonly kinds: ReadonlyMap<string, { readonly count: number; readonly rejected: number }>;
  /** The number of objects that a webhook rejected. */
  readonly rejections: number;
  /** The objects with another verdict, or other words. */
  readonly differences: readonly string[];
}

/**
 * Asks a hub about random objects, as dry runs of their creation, and compares its verdicts and words. The hub needs the namespace of
 * `mutatedCluster`.
 */
export async function compareWebhooks(
  hub: Hub,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<WebhookComparison> {
  const random = new Random(seed);
  const differences: string[] = [];
  const kinds = new Map<string, { count: number; rejected: number }>();
  for (let index = 0; index < count; index++) {
    const object = webhookMutant(random);
    const refusal = await refusalOf(hub, object);
    const verdict = webhookVerdict(object, releaseOf(hub.versions).name);
    const kind = kinds.get(object.kind) ?? { count: 0, rejected: 0 };
    kinds.set(object.kind, kind);
    kind.count++;
    if (refusal?.startsWith('admission webhook') === true) kind.rejected++;
    if (!isSame(refusal, verdict))
      differences.push(
        `${JSON.stringify(object).slice(0, 400)}\n  hub: ${refusal}\n  compiler: ${verdict.messages.join('\n')}`,
      );
  }
  const rejections = [...kinds.values()].reduce((sum, { rejected }) => sum + rejected, 0);
  return { kinds, rejections, differences };
}

/** Why a hub does not accept an object: the object itself, or the works of a set, which OCM's controller creates. */
async function refusalOf(hub: Hub, object: KubernetesObject): Promise<string | undefined> {
  const { apiVersion, kind, metadata } = object;
  const { namespace } = metadata;
  const place = { apiVersion, kind, ...(namespace !== undefined && { namespace }) };
  const refusal = await hub.client.refusal(place, JSON.stringify(object));
  const work = workOfSet(object);
  return refusal === undefined && work !== undefined ? refusalOf(hub, work) : refusal?.message;
}

/** Whether both accept, or both reject in the same words. OCM joins the faults of a cluster. */
function isSame(
  refusal: string | undefined,
  { isInvalid, messages }: ReturnType<typeof webhookVerdict>,
): boolean {
  if (refusal === undefined) return !isInvalid && messages.length === 0;
  if (isInvalid) return !refusal.startsWith('admission webhook');
  const faults = messages.map((message) => message.replace(/^.*?(?:denied the request|rejects it): /, ''));
  return refusal.endsWith(` denied the request: ${faults.sort().join('\n')}`);
}

/** Returns the objects of each kind: `52 ManifestWork (20 rejected), 9 ManagedCluster (4 rejected)`. */
export function kindsText({ kinds }: Pick<WebhookComparison, 'kinds'>): string {
  return [...kinds]
    .map(([kind, { count, rejected }]) => `${count} ${kind} (${rejected} rejected)`)
    .sort()
    .join(', ');
}
