import { KubeconfigError, ProxyError } from '../../client/kubeconfig/error.ts';
import { HubError, unusable } from './hub-error.ts';

const proxyHint =
  'write http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT, and in a password %40 for @, %2F for /, %23 for #, %25 for %';

/** Returns the result of `open` for a kubeconfig. @throws HubError if the kubeconfig is not usable. */
export function openKubeconfig<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof ProxyError) throw new HubError('FW9012', error.message, proxyHint);
    throw error instanceof KubeconfigError ? unusable(error.message) : error;
  }
}
