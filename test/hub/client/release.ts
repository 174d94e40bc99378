import { hubVersion, hubVersionNames, type HubVersion } from '../../../src/ocm/hub-version.ts';

/**
 * The OCM release that a hub is, by the module it was built from.
 *
 * @throws Error where the compiler knows no such release.
 */
export function releaseOf(versions: Readonly<Record<string, string>>): HubVersion {
  const version = versions['open-cluster-management.io/ocm'] ?? '';
  const name = hubVersionNames.find((name) => version.startsWith(`v${name}.`));
  if (name === undefined) throw new Error(`the compiler does not know OCM ${version}`);
  return hubVersion(name);
}
