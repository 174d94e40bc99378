import { kubernetesKinds } from '../../../../schemas/kubernetes/kubernetes.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { groupOf } from '../../../base/names/resource-name.ts';
import type { Capabilities } from '../../../engines/charts/index.ts';
import type { StatedCapabilities } from './manifest-source.ts';

/** The release of Helm that `.Capabilities.HelmVersion` names. */
const helmVersion = { version: 'v3.19.4', goVersion: 'go1.24.11' };

/**
 * Returns what Helm's client discovers on a cluster: the version of Kubernetes, and the APIs that a cluster of this version serves by
 * default, with those that the source states.
 *
 * @param version - such as `v1.34.0`, or empty if it is unknown
 */
export function clusterCapabilities(version: string, { apiVersions }: StatedCapabilities): Capabilities {
  const [, major = '', minor = ''] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return {
    kubeVersion: { version, major, minor },
    apiVersions: [...servedVersions(minor), ...apiVersions],
    helmVersion,
  };
}

const served = new Map<string, readonly string[]>();

function servedVersions(minor: string): readonly string[] {
  return getOrInsertComputed(served, minor, () => {
    const { oldest, newest, byVersion } = kubernetesKinds();
    const release = minor === '' ? newest : Math.min(newest, Math.max(oldest, Number(minor)));
    return [...byVersion].flatMap(([apiVersion, kinds]) => {
      const names = [...kinds]
        .filter(([, { since, until }]) => (since ?? oldest) <= release && release <= (until ?? newest))
        .filter(([, { since }]) => isServedByDefault(apiVersion, since))
        .map(([kind]) => `${apiVersion}/${kind}`);
      return names.length === 0 ? [] : [apiVersion, ...names];
    });
  });
}

/** Since Kubernetes 1.24, new beta APIs are off by default, as alpha APIs always were. */
function isServedByDefault(apiVersion: string, since: number | undefined): boolean {
  if (/alpha\d+$/.test(apiVersion)) return false;
  // Later beta versions of an API that was on by default stayed on.
  return (
    !/beta\d+$/.test(apiVersion) || since === undefined || groupOf(apiVersion).startsWith('flowcontrol.')
  );
}
