import { goJson } from '../../../base/json/go-json.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { ManagerProfile } from '../../model/manager-profile.ts';
import type { RenderClass } from '../../render/render-class.ts';
import type { Cause, Side } from '../change.ts';
import type { Pair, State } from '../resolution-pair.ts';
import { unknownRendering } from './unknown-rendering.ts';

/**
 * What two states render differently besides the configuration: charts and Go templates read annotations and the version of
 * Kubernetes, the profile of a manager can change, and the cluster that hosts the agent.
 */
export class RenderDifferences {
  readonly #name: string;
  readonly #pair: Pair;
  readonly #classes: Readonly<Record<Side, ((cluster: string) => RenderClass) | undefined>>;
  readonly #sameProfile: boolean;

  constructor(name: string, pair: Pair) {
    this.#name = name;
    this.#pair = pair;
    this.#classes = {
      base: pair.base.resolution.rendering.classesOf(name),
      head: pair.head.resolution.rendering.classesOf(name),
    };
    const [before, after] = [pair.base, pair.head].map((state) =>
      goJson(profileIn(name, state)?.declaration.object ?? null),
    );
    this.#sameProfile = before === after;
  }

  /** Whether a chart or Go templates render the add-on in one of the states, or another cluster hosts it. */
  get hasClasses(): boolean {
    return this.#classes.base !== undefined || this.#classes.head !== undefined;
  }

  /** Returns a text that is equal for clusters whose manifests differ by nothing but their names and configurations. */
  keyOf(cluster: string): string {
    if (!this.hasClasses) return '';
    return `${this.#classes.base?.(cluster).key ?? ''} ${this.#classes.head?.(cluster).key ?? ''}`;
  }

  /** Whether the same configuration renders to the same manifests in both states. */
  isSameOn(cluster: string): boolean {
    const [before, after] = [this.#classes.base, this.#classes.head].map((classOf) => classOf?.(cluster).key);
    return this.#sameProfile && (before ?? '') === (after ?? '');
  }

  /** Returns why the same configuration renders to other manifests on a cluster. */
  causesOn(cluster: string): Cause[] {
    const causes: Cause[] = [];
    const profile = profileIn(this.#name, this.#pair.head);
    if (!this.#sameProfile && profile !== undefined)
      causes.push({
        kind: 'other',
        text: 'the ManagerProfile was edited',
        side: 'head',
        location: profile.declaration.origin.location,
      });
    const [earlier, later] = [this.#classes.base, this.#classes.head].map((classOf) => classOf?.(cluster));
    const [before, after] = [earlier?.kubernetesVersion, later?.kubernetesVersion];
    if (before !== undefined && after !== undefined && before !== after)
      causes.push({
        kind: 'cluster changed',
        text: `the version of Kubernetes changed from ${before || 'none'} to ${after || 'none'}`,
        ...clusterPlace(cluster, this.#pair.head, ['status', 'version', 'kubernetes']),
      });
    // Another name is an edit of the annotation, which is reported as such.
    const hosting = later?.hosting;
    if (
      hosting?.name === earlier?.hosting?.name &&
      hosting !== undefined &&
      hosting.state !== earlier?.hosting?.state
    )
      causes.push({
        kind: 'cluster changed',
        text: `hosting cluster "${hosting.name}" ${stateWords[hosting.state]}`,
        ...clusterPlace(hosting.name, this.#pair.head, ['metadata', 'name']),
      });
    return causes;
  }

  /** Returns why the plan cannot name the manifests that change. Empty if it can, or if the works are written. */
  caveatOn(cluster: string): string {
    const { head, works } = this.#pair;
    const why = unknownRendering(this.#name, cluster, head.resolution);
    return why === undefined || works.head.addOns.get(this.#name)?.has(cluster) === true
      ? ''
      : `what its manager renders is unknown: ${why}`;
  }
}

const stateWords = {
  ready: 'is in the fleet now',
  missing: 'is no longer in the fleet',
  leaving: 'is being deleted',
} as const;

/** Returns the location of a field of a cluster in the later state. */
export function clusterPlace(
  cluster: string,
  { resolution: { inventory } }: State,
  path: FieldPath,
): Pick<Cause, 'side' | 'location'> {
  const origin = inventory.managedClusters.get(cluster)?.origin;
  return { side: 'head', ...(origin && { location: origin.locate(path) }) };
}

function profileIn(addOn: string, { resolution: { inventory } }: State): ManagerProfile | undefined {
  return inventory.managerProfiles?.get(addOn);
}
