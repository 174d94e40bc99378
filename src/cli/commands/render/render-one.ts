import { conditionOf } from '../../../base/objects/condition.ts';
import { SensitiveValues, type ClusterRendering } from '../../../compiler/index.ts';
import { configObjects } from '../../../compiler/configure/config-objects.ts';
import type { Referent } from '../../../ocm/referent.ts';
import { parseConfigName, renderWithConfigs } from '../../../compiler/compare/works/render-with-configs.ts';
import { unknownRendering } from '../../../compiler/compare/works/unknown-rendering.ts';
import { didYouMean } from '../../../compiler/model/suggestion.ts';
import {
  resolveApps,
  type AppArguments,
  type AppResolution,
  type ResolvedApps,
} from '../../app-resolutions.ts';
import { readHubOptions, type HubArguments } from '../../options.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { unknownAddOn, unknownCluster } from '../../unknown-names.ts';
import { UserError } from '../../../workspace/user-error.ts';
import type { CompileTarget } from '../../../workspace/output/compile-target.ts';
import { openWorkspace, workspacePolicies } from '../../../workspace/workspace.ts';
import type { Host } from '../../../workspace/host.ts';

/** The arguments that select the add-on, the cluster and the configurations. */
export interface RenderArguments extends HubArguments, AppArguments {
  readonly cluster: string;
  readonly addon: string;
  readonly config: readonly string[];
}

/** The rendering of one state of the inputs. */
export interface Rendered {
  /** Undefined if the cluster does not have the add-on, or if it cannot be predicted. */
  readonly rendering: ClusterRendering | undefined;
  /** Whether there is an add-on of that name. */
  readonly isKnown: boolean;
  /** Apps that do not resolve. Their errors were printed. */
  readonly failed: readonly string[];
  /** The reason why there is no rendering. */
  readonly error: UserError | undefined;
}

/** Returns what `render` masks in states; undefined if the user wants to see it. */
export async function sensitiveIn(
  states: readonly RenderState[],
  showSecrets: boolean,
  host: Host,
): Promise<SensitiveValues | undefined> {
  if (showSecrets) return undefined;
  const inventories = states.flatMap(({ resolved }) =>
    resolved.map(({ resolution }) => resolution.inventory),
  );
  return new SensitiveValues(inventories, (await workspacePolicies(host)).sensitive);
}

/** One resolved state of the inputs. It can be rendered with one configuration after the other. */
export interface RenderState extends ResolvedApps {
  readonly target: CompileTarget;
}

/** @throws UserError if nothing resolves. */
export async function openState(options: RenderArguments, terminal: Terminal): Promise<RenderState> {
  const { settings } = await openWorkspace(terminal);
  const target = readHubOptions(options, settings);
  const { apps = settings.apps } = options;
  return { target, ...(await resolveApps({ ...options, apps }, target, terminal)) };
}

/**
 * Renders one add-on for one cluster.
 *
 * @throws UserError if a configuration that was named does not exist.
 */
export function renderOne(state: RenderState, options: RenderArguments): Rendered {
  const { target, resolved, failed } = state;
  const { addon, cluster } = options;
  const having = resolved.filter(({ resolution }) => resolution.configuration.has(addon));
  const predicted = having.filter(
    ({ resolution }) => unknownRendering(addon, cluster, resolution) === undefined,
  );
  const [rendering] = predicted.flatMap((app) => {
    const configs = readConfigs(options, app);
    return (
      (configs.length === 0
        ? app.resolution.rendering.predicted(addon, cluster)
        : renderWithConfigs(app.resolution, { addOn: addon, cluster }, configs, target.hub)) ?? []
    );
  });
  const hasAddOn = having.length > 0;
  const error = rendering === undefined ? whyUnrendered(state, having, predicted, options) : undefined;
  return { rendering, isKnown: hasAddOn, failed, error };
}

function whyUnrendered(
  state: RenderState,
  having: readonly AppResolution[],
  predicted: readonly AppResolution[],
  { addon, cluster }: RenderArguments,
): UserError {
  if (!state.resolved.some(({ resolution }) => resolution.decisions.clusters.has(cluster)))
    return unknownCluster(cluster, state);
  if (having.length === 0) return unknownAddOn(addon, state);
  const hint = `fleetwright explain ${cluster} ${addon}`;
  const isInstalled = having.some(
    ({ resolution }) => resolution.configuration.get(addon)?.clusters.has(cluster) === true,
  );
  if (!isInstalled) return new UserError(`${addon} is not installed on ${cluster}`, `${hint} explains why`);
  const [why] = having.flatMap(({ resolution }) => unknownRendering(addon, cluster, resolution) ?? []);
  if (predicted.length === 0 && why !== undefined) {
    return new UserError(
      `what the manager of ${addon} renders for ${cluster} is unknown: ${why}`,
      `${hint} lists the configuration that the manager reads`,
    );
  }
  return new UserError(`${addon} is not rendered for ${cluster}`, `${hint} explains why`);
}

/**
 * @throws UserError if one does not exist, two are of the same kind, or the hub does not configure the add-on at
 * all.
 */
function readConfigs({ config, addon }: RenderArguments, { resolution }: AppResolution): readonly Referent[] {
  const configs = config.map(parseConfigName);
  const { inventory, configuration } = resolution;
  const objects = configObjects(inventory);
  for (const [index, wanted] of configs.entries()) {
    const isTemplate = wanted.namespace === undefined;
    if (objects.find(wanted) === undefined) {
      const name = config[index] ?? '';
      const names = (isTemplate ? inventory.addOnTemplates : inventory.addOnDeploymentConfigs).keys();
      const meant = didYouMean(name, names, isTemplate ? 'the templates are' : 'there are');
      const other = isTemplate ? ['use namespace/name for an AddOnDeploymentConfig'] : [];
      throw new UserError(
        `there is no ${isTemplate ? 'AddOnTemplate' : 'AddOnDeploymentConfig'} ${name}`,
        [...(meant === undefined ? [] : [meant]), ...other].join('; '),
      );
    }
    if (configs.findIndex(({ resource }) => resource === wanted.resource) < index)
      throw new UserError('the hub uses one template and one AddOnDeploymentConfig', 'use one of each');
  }
  const stalled = configuration.get(addon)?.stalled;
  if (configs.length > 0 && stalled !== undefined)
    throw new UserError(`the hub does not configure ${addon} on any cluster: ${stalled}`);
  return configs;
}

/** Returns the manifests of all works, in order. */
export function manifestsOf({ works }: ClusterRendering): readonly object[] {
  return works.flatMap(({ spec }) => spec?.workload?.manifests ?? []);
}

/** Returns the reason why there are no manifests, as the end of a sentence, and whether that is a failure. */
export function whyNothing({ status }: ClusterRendering): { reason: string; failed: boolean } {
  const condition = conditionOf(status.conditions, 'ManifestApplied');
  return {
    reason: condition === undefined ? '' : `: ${condition.message}`,
    failed: condition?.status === 'False',
  };
}
