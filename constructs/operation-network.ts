import { operationPort } from './restricted-pod.ts';
import { toLabelSelector, type SelectorLike } from './selector.ts';

/** Pods that a NetworkPolicy allows. */
export interface NetworkPeer {
  /**
   * The pods, in the namespaces of `namespaces`.
   *
   * @default - all
   */
  readonly pods?: SelectorLike;

  /**
   * The namespaces of the pods.
   *
   * @default - the companion's
   */
  readonly namespaces?: SelectorLike;
}

/** The connections of a controller. */
export interface OperationNetworkProps {
  /**
   * Ports of the hub's API server. The companion may connect only to these and to DNS.
   *
   * @default [443, 6443]
   */
  readonly apiServerPorts?: readonly number[];

  /**
   * The pods that may read the metrics, which contain names of signers and add-ons, such as `[{ namespaces: {
   * 'kubernetes.io/metadata.name': 'monitoring' } }]`.
   *
   * Network policies allow probes, because these come from the node.
   *
   * @default - all pods in the cluster
   */
  readonly metricsFrom?: readonly NetworkPeer[];
}

type Labels = Readonly<Record<string, string>>;

/** Returns the `spec` of a NetworkPolicy for the pods of a controller. */
export function operationNetwork(
  labels: Labels,
  { apiServerPorts = [443, 6443], metricsFrom }: OperationNetworkProps,
): object {
  return {
    podSelector: { matchLabels: labels },
    policyTypes: ['Ingress', 'Egress'],
    // An empty list of peers would allow all of them.
    ingress:
      metricsFrom?.length === 0
        ? []
        : [
            {
              ...(metricsFrom && { from: metricsFrom.map(networkPeer) }),
              ports: [{ protocol: 'TCP', port: operationPort }],
            },
          ],
    egress: [
      { ports: apiServerPorts.map((port) => ({ protocol: 'TCP', port })) },
      { ports: ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 })) },
    ],
  };
}

/** Returns the `spec` of a Service for the metrics of a controller. */
export function operationService(labels: Labels): object {
  return { selector: labels, ports: [{ name: 'metrics', port: operationPort, targetPort: 'metrics' }] };
}

function networkPeer({ pods, namespaces }: NetworkPeer): object {
  return {
    ...(pods !== undefined && { podSelector: toLabelSelector(pods) }),
    ...(namespaces !== undefined && { namespaceSelector: toLabelSelector(namespaces) }),
  };
}
