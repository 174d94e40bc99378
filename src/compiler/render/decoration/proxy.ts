import type { AddOnDeploymentConfigV1alpha1ProxyConfig } from '../../../../schemas/types.gen.ts';
import type { GoJsonObject } from '../../../base/json/go-json.ts';
import { defaultInstallNamespace } from '../../../ocm/install-namespace.ts';
import type { EnvironmentVariable } from './workload-decoration.ts';
import type { Volumes } from './registration-volumes.ts';

/** The parts that a proxy adds to each container of a workload, and to its pod. */
export interface ProxyDecoration extends Volumes {
  readonly environment: readonly EnvironmentVariable[];
}

const caFile = 'ca-bundle.crt';
const caDirectory = '/managed/proxy-ca';
const caVolume = 'proxy-ca-bundle';

/** Returns whether a configuration names a proxy, or hosts that need none. A CA bundle alone does not count. */
export function hasProxy({
  httpProxy = '',
  httpsProxy = '',
  noProxy = '',
}: AddOnDeploymentConfigV1alpha1ProxyConfig = {}): boolean {
  return httpProxy !== '' || httpsProxy !== '' || noProxy !== '';
}

/** As OCM's proxyHandler: pods get a CA bundle only together with a proxy. */
export function proxyDecoration(
  addOn: string,
  {
    httpProxy = '',
    httpsProxy = '',
    noProxy = '',
    caBundle = '',
  }: AddOnDeploymentConfigV1alpha1ProxyConfig = {},
): ProxyDecoration {
  const environment = Object.entries({
    HTTP_PROXY: httpProxy,
    HTTPS_PROXY: httpsProxy,
    NO_PROXY: noProxy,
  }).flatMap(([name, value]) =>
    value === ''
      ? []
      : [
          { name, value },
          { name: name.toLowerCase(), value },
        ],
  );
  if (environment.length === 0 || caBundle === '') return { environment, mounts: [], volumes: [] };
  return {
    environment: [...environment, { name: 'CA_BUNDLE_FILE_PATH', value: `${caDirectory}/${caFile}` }],
    mounts: [{ name: caVolume, mountPath: caDirectory }],
    volumes: [{ name: caVolume, configMap: { name: configMapName(addOn) } }],
  };
}

/** Returns the ConfigMap with the CA bundle that the hub adds to the manifests, with or without a proxy. */
export function proxyConfigMap(
  addOn: string,
  { caBundle = '' }: AddOnDeploymentConfigV1alpha1ProxyConfig = {},
): GoJsonObject | undefined {
  if (caBundle === '') return undefined;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: configMapName(addOn), namespace: defaultInstallNamespace },
    data: { [caFile]: decodeUtf8(Buffer.from(caBundle, 'base64')) },
  };
}

function configMapName(addOn: string): string {
  return `${addOn}-proxy-ca`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** As Go: every byte that is not part of a valid character becomes a separate replacement character. */
function decodeUtf8(bytes: Uint8Array): string {
  const whole = decodeExactly(bytes);
  if (whole !== undefined) return whole;
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length =
      [1, 2, 3, 4].find((length) => decodeExactly(bytes.subarray(at, at + length)) !== undefined) ?? 0;
    text += decodeExactly(bytes.subarray(at, at + length)) || '\ufffd';
    at += Math.max(length, 1);
  }
  return text;
}

function decodeExactly(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
