import { ocmKinds } from '../../../schemas/kinds.ts';

/** OCM's kinds that a managed cluster has. All others describe the hub. */
const clusterKinds: ReadonlySet<string> = new Set([ocmKinds.clusterClaim.key, ocmKinds.klusterlet.key]);

/** The kinds of the hub, as `group/Kind`: no managed cluster serves them, unless it is a hub too. */
export const hubKinds: ReadonlySet<string> = new Set(
  Object.values(ocmKinds)
    .map(({ key }) => key)
    .filter((key) => !clusterKinds.has(key)),
);
