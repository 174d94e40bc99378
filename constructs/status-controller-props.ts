import type { OperationNetworkProps } from './operation-network.ts';
import type { PodResources } from './restricted-pod.ts';

/** The settings and permissions of `controller status`. */
export interface StatusControllerProps extends OperationNetworkProps {
  /** The image, built from the Dockerfile in the package. */
  readonly image: string;

  /**
   * The name of all its objects.
   *
   * @default - the construct's id
   */
  readonly name?: string;

  /** The namespace on the hub. It must exist. */
  readonly namespace: string;

  /**
   * Whether changes of causes are reported as Events on ManagedClusterAddOns. It may then create and update Events in all
   * namespaces.
   *
   * @default false
   */
  readonly events?: boolean;

  /**
   * Kinds of configuration other than OCM's that add-ons use, and with `--workspace` the other kinds that apps contain. It may read
   * their objects. Without this permission, it counts them as missing and reports the kind as unread.
   *
   * @default - none
   */
  readonly configKinds?: readonly { readonly group: string; readonly resource: string }[];

  /**
   * Whether a ValidatingAdmissionPolicy limits the Events that it can write to its own, about ManagedClusterAddOns. Disable it if
   * the hub's API server is older than Kubernetes 1.30.
   *
   * @default true
   */
  readonly admissionPolicies?: boolean;

  /**
   * Further options of `fleetwright controller status`, such as `--interval=5m`.
   *
   * @default - none
   */
  readonly options?: readonly string[];

  /**
   * Resources of the pod. Its memory grows with the add-ons on all clusters: see docs/monitoring.md.
   *
   * @default { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } }
   */
  readonly resources?: PodResources;
}
