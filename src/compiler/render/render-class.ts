import type { HostingCluster } from './hosting-cluster.ts';

/** What the manifests of a cluster depend on, besides the configuration and the name of the cluster. */
export interface RenderClass {
  /** Equal for clusters whose manifests differ by nothing else. */
  readonly key: string;
  /** The part of the key that is the version of Kubernetes. Empty if no template reads it. */
  readonly kubernetesVersion: string;
  /** The cluster that hosts the agent, in hosted mode with compiled delivery. */
  readonly hosting?: HostingCluster;
}
