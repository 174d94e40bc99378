import type { ClusterEndpoint } from '../../../client/kubeconfig/connect.ts';
import type { ObjectName } from '../../../client/object.ts';
import type { Secret } from '../resources.ts';
import type { Credential } from './certificate-state.ts';
import { decoded, agentSecret } from './agent-secret.ts';
import { apiServerSigner } from '../../../ocm/signers.ts';

/**
 * Returns the name of the Secret of a certificate. As OCM's registration agent, and as the hub mounts it into the
 * agents of templates.
 */
export function secretName(addOn: string, signerName: string): string {
  return signerName === apiServerSigner
    ? `${addOn}-hub-kubeconfig`
    : `${addOn}-${signerName.replaceAll('/', '-')}-client-cert`;
}

/** Returns the content of a Secret; undefined if it does not exist or has no certificate. */
export function credentialIn(secret: Secret | undefined): Credential | undefined {
  const { 'tls.crt': certificate, 'tls.key': key } = secret?.data ?? {};
  if (certificate === undefined || key === undefined) return undefined;
  return { certificate: decoded(certificate), key: decoded(key) };
}

/**
 * Returns the Secret of a certificate for a signer, to be applied. For the hub's own API server it also contains a
 * kubeconfig, which references its files by relative paths, so that the Secret can be mounted at any path.
 */
export function credentialSecret(
  name: Required<ObjectName>,
  { certificate, key }: Credential,
  {
    addOn,
    cluster,
    hub,
  }: { readonly addOn: string; readonly cluster: string; readonly hub: ClusterEndpoint | undefined },
): Secret & { readonly metadata: ObjectName } {
  return agentSecret(name, addOn, {
    'tls.crt': certificate,
    'tls.key': key,
    'cluster-name': cluster,
    ...(hub === undefined ? {} : { kubeconfig: `${JSON.stringify(kubeconfig(hub), null, 2)}\n` }),
  });
}

/** As OCM's BuildKubeconfig, with the same names. */
function kubeconfig({ server, certificateAuthorityData, proxyUrl, tlsServerName }: ClusterEndpoint): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'default-cluster',
        cluster: {
          server,
          ...(certificateAuthorityData && { 'certificate-authority-data': certificateAuthorityData }),
          ...(proxyUrl && { 'proxy-url': proxyUrl }),
          ...(tlsServerName && { 'tls-server-name': tlsServerName }),
        },
      },
    ],
    users: [{ name: 'default-auth', user: { 'client-certificate': 'tls.crt', 'client-key': 'tls.key' } }],
    contexts: [
      {
        name: 'default-context',
        context: { cluster: 'default-cluster', user: 'default-auth', namespace: 'configuration' },
      },
    ],
    'current-context': 'default-context',
  };
}
