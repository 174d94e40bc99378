import type { KubeConfig } from '@kubernetes/client-node';

/** The parts of the Kubernetes client that are used. */
interface KubeconfigLibrary {
  readonly KubeConfig: new () => KubeConfig;
}

/** Loads the Kubernetes client, which takes long. `npm run build` replaces this module for the commands. */
export async function kubeconfigLibrary(): Promise<KubeconfigLibrary> {
  return await import('@kubernetes/client-node');
}
