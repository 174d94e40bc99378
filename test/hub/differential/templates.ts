import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ocmKinds } from '../client/kinds.ts';
import { made, type Names } from './fleet.ts';
import { manifests } from './manifests.ts';
import { present, type Random } from './random.ts';

/** An AddOnTemplate with random manifests, manifest configs and registrations. */
export function template(random: Random, names: Names, name: string, addOn: string): KubernetesObject {
  return made(ocmKinds.addOnTemplate, name, undefined, {
    spec: present({
      addonName: addOn,
      agentSpec: present({
        workload: { manifests: manifests(random) },
        manifestConfigs: random.maybe(0.4, () =>
          random.times(random.between(1, 2), () => manifestConfig(random)),
        ),
        deleteOption: random.maybe(0.1, () => ({ propagationPolicy: 'Orphan' })),
        executor: random.maybe(0.1, () => ({
          subject: { type: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'b' } },
        })),
      }),
      registration: random.maybe(0.7, () =>
        random.times(random.between(0, 3), () => registration(random, names, addOn)),
      ),
    }),
  });
}

function manifestConfig(random: Random): object {
  return present({
    resourceIdentifier: random.chance(0.6)
      ? {
          group: 'apps',
          resource: 'deployments',
          name: 'agent',
          namespace: random.pick(['agents', 'other', 'open-cluster-management-agent-addon'] as const),
        }
      : present({
          group: random.maybe(0.5, () => ''),
          resource: 'configmaps',
          name: 'other-0',
          namespace: random.maybe(0.7, () => 'agents'),
        }),
    feedbackRules: random.maybe(0.7, () => [
      ...random.some([{ type: 'WellKnownStatus' }], 0.4),
      {
        type: 'JSONPaths',
        jsonPaths: [
          { name: 'ready', path: '.status.readyReplicas' },
          ...random.some([{ name: 'all', path: '.status.replicas', version: 'v1' }], 0.3),
        ],
      },
    ]),
    updateStrategy: random.maybe(0.5, () =>
      random.pick([
        { type: 'CreateOnly' },
        { type: 'ReadOnly' },
        { type: 'ServerSideApply', serverSideApply: { force: true } },
        { type: 'ServerSideApply' },
      ] as const),
    ),
    conditionRules: random.maybe(0.2, () => [
      { type: 'CEL', condition: 'Ready', celExpressions: ['object.status.ready == true'], message: 'm' },
    ]),
    feedbackScrapeType: random.maybe(0.2, () => random.pick(['Poll', 'Watch'] as const)),
  });
}

function registration(random: Random, names: Names, addOn: string): object {
  if (random.chance(0.5))
    return present({
      type: 'KubeClient',
      kubeClient: random.maybe(0.7, () => ({
        hubPermissions: random.times(random.between(0, 2), () => hubPermission(random, names)),
      })),
    });
  return {
    type: 'CustomSigner',
    customSigner: present({
      signerName: `example.com/${addOn}${random.pick(['', '-b', '.c'])}`,
      signingCA: present({
        name: `${addOn}-ca`,
        namespace: random.maybe(0.5, () => 'open-cluster-management-hub'),
      }),
      subject: random.maybe(0.5, () =>
        present({
          user: random.maybe(0.5, () => 'agent-user'),
          groups: random.maybe(0.5, () => ['g1', 'g2']),
          organizationUnit: random.maybe(0.4, () => ['ou']),
        }),
      ),
    }),
  };
}

function hubPermission(random: Random, { placements }: Names): object {
  return random.chance(0.6)
    ? { type: 'CurrentCluster', currentCluster: { clusterRoleName: random.pick(['view', 'edit'] as const) } }
    : {
        type: 'SingleNamespace',
        singleNamespace: {
          namespace: placements,
          roleRef: {
            apiGroup: 'rbac.authorization.k8s.io',
            kind: random.pick(['Role', 'ClusterRole'] as const),
            name: random.pick(['view', 'reader'] as const),
          },
        },
      };
}
