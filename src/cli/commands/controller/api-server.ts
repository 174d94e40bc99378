import type { Clock } from '../../../client/clock.ts';
import { connect, type KubeconfigTarget } from '../../../client/kubeconfig/connect.ts';
import { openKubeconfig } from '../../../workspace/hub/open-kubeconfig.ts';
import type { Terminal } from '../../terminal/terminal.ts';

interface ConnectionSettings {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
}

/**
 * Returns the API server of the settings; by default that of the user or of the pod. @throws HubError if there is
 * none.
 */
export function apiServer(
  { kubeconfig, context }: ConnectionSettings,
  { cwd }: Terminal,
  clock: Clock,
  userAgent: string,
): KubeconfigTarget {
  const named = {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  };
  return openKubeconfig(() => connect({ folder: cwd, ...named }, clock, userAgent));
}
