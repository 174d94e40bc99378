import { configObjects } from '../compiler/configure/config-objects.ts';
import type { Referent } from '../compiler/api/referent.ts';
import { parseConfigName, renderWithConfigs } from '../compiler/plan/render-with-configs.ts';
import type { ClusterRendering } from '../compiler/render/rendering.ts';
import { resolveApps, type AppArguments, type AppResolution, type ResolvedApps } from './app-resolutions.ts';
import { readHubOptions, type Hub, type HubArguments } from './options.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** What says which add-on is rendered for which cluster, and with which configurations. */
export interface RenderArguments extends HubArguments, AppArguments {
  readonly cluster: string;
  readonly addon: string;
  readonly config: readonly string[];
}

/** What one state of the inputs gives. */
export interface Rendered {
  /** Undefined where the cluster does not have the add-on. */
  readonly rendering: ClusterRendering | undefined;
  /** Whether there is an add-on of that name. */
  readonly isKnown: boolean;
  /** Apps that do not resolve, whose errors were shown. */
  readonly failed: readonly string[];
}

/** One state of the inputs, resolved: it can be rendered with one configuration after the other. */
export interface RenderState extends ResolvedApps {
  readonly hub: Hub;
}

/** @throws CommandError where nothing resolves. */
export async function openState(options: RenderArguments, terminal: Terminal): Promise<RenderState> {
  const hub = readHubOptions(options);
  return { hub, ...(await resolveApps(options, hub, terminal)) };
}

/**
 * Renders one add-on for one cluster.
 *
 * @throws CommandError where a configuration that was named is not there.
 */
export function renderOne({ hub, resolved, failed }: RenderState, options: RenderArguments): Rendered {
  const { addon, cluster } = options;
  const known = resolved.filter(({ resolution }) => resolution.configuration.has(addon));
  const [rendering] = known.flatMap((app) => {
    const configs = readConfigs(options, app);
    return (
      (configs.length === 0
        ? app.resolution.rendering.clusterAddOn(addon, cluster)
        : renderWithConfigs(app.resolution, { addOn: addon, cluster }, configs, hub.hub)) ?? []
    );
  });
  return { rendering, isKnown: known.length > 0, failed };
}

/** @throws CommandError where one is not there, two are of a kind, or the hub gives the add-on no configuration at all. */
function readConfigs({ config, addon }: RenderArguments, { resolution }: AppResolution): readonly Referent[] {
  const configs = config.map(parseConfigName);
  const { inventory, configuration } = resolution;
  const objects = configObjects(inventory);
  for (const [index, wanted] of configs.entries()) {
    const isTemplate = wanted.namespace === undefined;
    if (objects.find(wanted) === undefined) {
      throw new CommandError(
        `there is no ${isTemplate ? 'AddOnTemplate' : 'AddOnDeploymentConfig'} ${config[index] ?? ''}`,
        isTemplate ? 'an AddOnDeploymentConfig is named by namespace/name' : undefined,
      );
    }
    if (configs.findIndex(({ resource }) => resource === wanted.resource) < index)
      throw new CommandError('the hub uses one template and one AddOnDeploymentConfig', 'name one of each');
  }
  const stalled = configuration.get(addon)?.stalled;
  if (configs.length > 0 && stalled !== undefined)
    throw new CommandError(`the hub configures ${addon} on no cluster: ${stalled}`);
  return configs;
}

/** The manifests of all works, in order. */
export function manifestsOf({ works }: ClusterRendering): readonly object[] {
  return works.flatMap(({ spec }) => spec?.workload?.manifests ?? []);
}

/** Why there are no manifests, as the end of a sentence, and whether that is a failure. */
export function whyNothing({ status }: ClusterRendering): { reason: string; failed: boolean } {
  const condition = status.conditions.find(({ type }) => type === 'ManifestApplied');
  return {
    reason: condition === undefined ? '' : `: ${condition.message}`,
    failed: condition?.status === 'False',
  };
}
