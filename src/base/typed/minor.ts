/** The Kubernetes minor releases whose types OCM's controllers are built with. */
export type KubernetesMinor = 33 | 34 | 35;
