import { ApiClient } from '../client/api-client.ts';
import { readAccess } from '../client/kubeconfig.ts';
import { secretKind } from './fleet.ts';
import { until } from './work-agent.ts';

/** What is in the files of a Secret, by their names. */
export type SecretFiles = Readonly<Record<string, string>>;

/** Undefined where there is no such Secret, or no certificate in it. */
export async function secretFiles(
  cluster: ApiClient,
  name: string,
  namespace: string,
): Promise<SecretFiles | undefined> {
  const found = await cluster.get(...secretKind, name, namespace);
  const data = (found?.['data'] ?? {}) as SecretFiles;
  if (data['tls.crt'] === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(data).map(([file, text]) => [file, Buffer.from(text, 'base64').toString()]),
  );
}

/** The files of a Secret once a certificate is in it. */
export async function filesWithCertificate(
  cluster: ApiClient,
  name: string,
  namespace: string,
): Promise<SecretFiles> {
  return await until(async () => await secretFiles(cluster, name, namespace));
}

/** A client with the credentials that an agent finds on its cluster. @param kubeconfig - of the hub */
export function clientWith(files: SecretFiles, kubeconfig: string): ApiClient {
  const { server, ca } = readAccess(kubeconfig);
  return new ApiClient({ server, ca, certificate: files['tls.crt'] ?? '', key: files['tls.key'] ?? '' });
}
