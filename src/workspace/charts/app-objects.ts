import { App, Chart } from 'cdk8s';
import {
  AddOnDeploymentConfig,
  AddOnTemplate,
  ApiObject,
  ClusterManagementAddOn,
  DecisionGroup,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  Registration,
  Rollout,
  Toleration,
  type Workload,
} from '../../../constructs/index.ts';
import { collect } from '../../../constructs/collect.ts';
import type { ApiObjectProps } from 'cdk8s';
import { loadConstructs, type LoadedObject } from '../../compiler/index.ts';
import { namespaceObject } from '../../importer/charts/app-code.ts';
import type { ChartAppContent } from '../../importer/charts/content.ts';

/** The bytes of each file of a chart by its path, or those of its archive. */
export type ChartBytes = ReadonlyMap<string, Uint8Array> | Uint8Array;

/**
 * Returns the objects that the `app.ts` of `appCode` creates, before it is written. A Placement of another app is not known here, so
 * one of all clusters takes its place.
 */
export function appObjects(content: ChartAppContent, chart: ChartBytes): LoadedObject[] {
  const { addOn, groups, installNamespace, createsNamespace, registers } = content;
  const app = new App();
  const namespace = content.placement?.namespace ?? addOn;
  const hub = new Chart(app, 'hub', { namespace });
  new ApiObject(hub, 'namespace', namespaceObject(namespace) as unknown as ApiObjectProps);
  new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });
  const decisionGroups = groups.map(({ name, label, value }) =>
    DecisionGroup.named(name, { labels: { [label]: value } }),
  );
  const clusters = new Placement(hub, 'all', {
    tolerations: [Toleration.unreachable(), Toleration.unavailable()],
    ...(decisionGroups.length > 0 && { decisionGroups }),
  });
  const workload = (scope: Workload): void => {
    if (createsNamespace && installNamespace !== undefined)
      new ApiObject(scope, 'namespace', namespaceObject(installNamespace) as unknown as ApiObjectProps);
    new ApiObject(scope, addOn, {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'HelmChart',
      spec: { ...chartFields(chart), values: content.values },
    });
  };
  const template = new AddOnTemplate(hub, 'template', {
    name: addOn,
    addonName: addOn,
    immutable: true,
    workload,
    ...(registers && { registration: [Registration.kubeClient()] }),
  });
  const config =
    installNamespace === undefined
      ? []
      : [
          new AddOnDeploymentConfig(hub, 'config', {
            name: addOn,
            immutable: true,
            agentInstallNamespace: installNamespace,
          }),
        ];
  const rollout = Rollout.progressive({
    mandatoryGroups: decisionGroups,
    maxConcurrency: '25%',
  });
  new ClusterManagementAddOn(hub, 'add-on', {
    name: addOn,
    delivery: 'compiled',
    defaultConfigs: [template, ...config],
    placements: [{ placement: clusters, ...(decisionGroups.length > 0 && { rollout }) }],
  });
  return loadConstructs(collect(app).objects).value;
}

/** Returns the chart as the construct `HelmChart` writes it. */
function chartFields(chart: ChartBytes): object {
  if (chart instanceof Uint8Array) return { archive: Buffer.from(chart).toString('base64') };
  const files: Record<string, string> = {};
  const binaryFiles: Record<string, string> = {};
  for (const [name, bytes] of chart) {
    const text = asText(bytes);
    if (text === undefined) binaryFiles[name] = Buffer.from(bytes).toString('base64');
    else files[name] = text;
  }
  return { files, ...(Object.keys(binaryFiles).length > 0 && { binaryFiles }) };
}

function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
