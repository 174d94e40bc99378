import { hubObjects } from '../../src/compiler/hub-objects.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import type { ResolvedTemplate } from '../compiler/render/template-add-on.ts';
import type { HostedRequest } from './go-program.ts';

const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1beta1' } as const;

/** Returns the input of addon-framework: the objects that our renderer returns for the cluster, before they are split. */
export function hostedRequest({ resolution }: ResolvedTemplate): HostedRequest {
  const { rendering, decisions, configuration } = resolution;
  const manifests = rendering.groups[0]?.manifests.render('c1');
  if (manifests === undefined || 'error' in manifests) throw new Error('the template renders');
  const addOn = [...hubObjects(resolution, target)].find(({ kind }) => kind === 'ManagedClusterAddOn');
  if (addOn === undefined) throw new Error('the cluster has the add-on');
  const references = configuration.get('agent')?.clusters.get('c1')?.effective.references ?? [];
  const time = '2026-01-01T00:00:00Z';
  const template = resolution.inventory.addOnTemplates.get('template')?.object;
  const { finalizers: _, ...metadata } = addOn.metadata;
  return {
    addOn: {
      ...addOn,
      metadata,
      status: {
        conditions: ['Configured', 'RegistrationApplied'].map((type) => ({
          type,
          status: 'True',
          reason: 'Done',
          message: '',
          lastTransitionTime: time,
        })),
        configReferences: references.map(({ group, resource, namespace, name, specHash }) => ({
          group,
          resource,
          desiredConfig: { namespace, name, specHash },
        })),
      },
    },
    clusters: [...decisions.clusters.values()],
    manifests: manifests.objects.map(({ object }) => object),
    manifestConfigs: template?.spec.agentSpec.manifestConfigs ?? [],
  };
}
