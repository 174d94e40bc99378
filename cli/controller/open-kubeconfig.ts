import { KubeconfigError } from '../../controller/kube/kubeconfig-file.ts';
import { HubError } from '../hub/hub-error.ts';

/** What `open` makes of a kubeconfig. @throws HubError where it leads nowhere. */
export function openKubeconfig<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new HubError(
      'FW9004',
      error.message,
      'name another file with --kubeconfig, or a context with --context',
    );
  }
}
