import { KubeconfigError } from '../../controller/kube/kubeconfig-error.ts';
import { HubError } from './hub-error.ts';

/** What `open` makes of a kubeconfig. @throws HubError where it leads nowhere. */
export function openKubeconfig<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw error instanceof KubeconfigError ? unusable(error.message) : error;
  }
}

/** A kubeconfig that leads to no hub. */
export function unusable(message: string): HubError {
  return new HubError('FW9004', message, 'name another file with --kubeconfig, or a context with --context');
}
