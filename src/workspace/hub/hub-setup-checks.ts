import { diagnostic } from '../../compiler/model/diagnostic.ts';
import type { Diagnostic } from '../../compiler/index.ts';
import { clusterResource } from '../../client/resource.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import { DiagnosedError } from '../diagnosed-error.ts';
import { settingsFile } from '../settings/settings.ts';
import type { HubReader } from './hub-reader.ts';

const clusterManagers = clusterResource(
  'operator.open-cluster-management.io/v1',
  'ClusterManager',
  'clustermanagers',
);

/** A feature gate that the output depends on. */
interface Gate {
  /** The part of the ClusterManager that has the gate. */
  readonly configuration: string;
  readonly feature: string;
  readonly isOnByDefault: boolean;
  /** What does not happen while the gate is off. */
  readonly effect: string;
}

/** As open-cluster-management.io/api/feature. */
const gates: readonly Gate[] = [
  {
    configuration: 'addOnManagerConfiguration',
    feature: 'AddonManagement',
    isOnByDefault: true,
    effect: 'the hub does not install or configure add-ons',
  },
  {
    configuration: 'registrationConfiguration',
    feature: 'DefaultClusterSet',
    isOnByDefault: true,
    effect: 'clusters without a set are not in the set "default"',
  },
];

const replicaSets: Gate = {
  configuration: 'workConfiguration',
  feature: 'ManifestWorkReplicaSet',
  isOnByDefault: false,
  effect: 'the hub creates no works from the ManifestWorkReplicaSets of the apps',
};

/** What the workspace expects of the hub. */
export interface ExpectedHub {
  /** The release that the output is for. */
  readonly release: string;
  readonly hasReplicaSets: boolean;
}

/**
 * Compares the ClusterManager of a hub with what the workspace expects: the release, and feature gates. Nothing is reported for a hub
 * without a ClusterManager, or whose images have no version.
 */
export async function checkHubSetup(
  hub: HubReader,
  { release, hasReplicaSets }: ExpectedHub,
): Promise<readonly Diagnostic[]> {
  let found: readonly unknown[];
  try {
    found = (await hub.list(clusterManagers)) ?? [];
  } catch (error) {
    // The checks of the engine do not need it.
    if (error instanceof DiagnosedError) return [error.diagnostic];
    throw error;
  }
  const [spec] = found.flatMap((object) =>
    isJsonMap(object) && isJsonMap(object['spec']) ? [object['spec']] : [],
  );
  if (spec === undefined) return [];
  const image = spec['registrationImagePullSpec'];
  const [, running] = /:v?(\d+\.\d+)[.\d]*(?:$|[-@])/.exec(typeof image === 'string' ? image : '') ?? [];
  const releases =
    running === undefined || running === release
      ? []
      : [
          diagnostic('FW9086', {
            message: `the hub runs OCM ${running}, but the output is for ${release}`,
            hint: `set hubVersion: '${running}' in ${settingsFile}, or upgrade the hub`,
          }),
        ];
  const needed = hasReplicaSets ? [...gates, replicaSets] : gates;
  return [...releases, ...needed.flatMap((gate) => checkGate(spec, gate))];
}

function checkGate(
  spec: Readonly<Record<string, unknown>>,
  { configuration, feature, isOnByDefault, effect }: Gate,
): readonly Diagnostic[] {
  const settings = spec[configuration];
  const listed =
    isJsonMap(settings) && Array.isArray(settings['featureGates']) ? settings['featureGates'] : [];
  const gate: unknown = listed.find((each) => isJsonMap(each) && each['feature'] === feature);
  const mode = isJsonMap(gate) ? gate['mode'] : undefined;
  const isOn = mode === undefined ? isOnByDefault : mode === 'Enable';
  if (isOn) return [];
  return [
    diagnostic('FW9087', {
      message: `the feature gate ${feature} is off, so ${effect}`,
      path: `spec.${configuration}.featureGates`,
      hint: `set it in the ClusterManager: \`{ feature: ${feature}, mode: Enable }\` in spec.${configuration}.featureGates`,
    }),
  ];
}
