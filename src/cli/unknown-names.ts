import type { Resolution } from '../compiler/index.ts';
import { didYouMean } from '../compiler/model/suggestion.ts';
import type { ResolvedApps } from './app-resolutions.ts';
import { UserError } from '../workspace/user-error.ts';

/** Returns the error for a cluster that no app's fleet has. */
export function unknownCluster(name: string, apps: ResolvedApps): UserError {
  const clusters = namesIn(apps, ({ decisions }) => decisions.clusters.keys());
  return new UserError(
    `the fleet has no cluster ${name}`,
    clusters.length === 0
      ? 'the fleet has no clusters: fleetwright fleet pull writes a snapshot of a hub'
      : didYouMean(name, clusters, 'the clusters are'),
  );
}

/** Returns the error for an add-on that no app has. */
export function unknownAddOn(name: string, apps: ResolvedApps): UserError {
  const addOns = namesIn(apps, ({ configuration }) => configuration.keys());
  return unknownName(`there is no add-on ${name}`, didYouMean(name, addOns, 'the add-ons are'), apps);
}

/** Returns the error for a name that no app has. The hint lists apps that do not resolve, because they may contain it. */
export function unknownName(
  message: string,
  hint: string | undefined,
  { failed }: Pick<ResolvedApps, 'failed'>,
): UserError {
  const apps = failed.filter((app) => app !== '');
  const unread = apps.length === 0 ? [] : [`${apps.join(', ')} could not be resolved`];
  const hints = [...(hint === undefined ? [] : [hint]), ...unread];
  return new UserError(message, hints.length === 0 ? undefined : hints.join('; '));
}

/** Returns the names of all apps, each once, sorted. */
export function namesIn(
  { resolved }: Pick<ResolvedApps, 'resolved'>,
  namesOf: (resolution: Resolution) => Iterable<string>,
): readonly string[] {
  return [...new Set(resolved.flatMap(({ resolution }) => [...namesOf(resolution)]))].sort();
}
