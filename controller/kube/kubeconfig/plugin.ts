import { readFileSync } from 'node:fs';
import { fieldsOf, text, type Fields } from '../fields.ts';

/** What plugins are told, which the library leaves out: some do not work without. */
export function withExecInfo(exec: Fields, cluster: Fields): Fields {
  const spec = {
    interactive: false,
    ...(exec['provideClusterInfo'] === true && { cluster: clusterInfo(cluster) }),
  };
  const info = { apiVersion: exec['apiVersion'], kind: 'ExecCredential', spec };
  const env = Array.isArray(exec['env']) ? (exec['env'] as readonly unknown[]) : [];
  return { ...exec, env: [...env, { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) }] };
}

/** as client-go's ExecClusterConfig; what is meant for the plugin alone stands in an extension */
function clusterInfo(cluster: Fields): Fields {
  const told = new Set([
    'server',
    'tls-server-name',
    'insecure-skip-tls-verify',
    'certificate-authority-data',
    'proxy-url',
  ]);
  const file = text(cluster['certificate-authority']);
  const extensions = Array.isArray(cluster['extensions'])
    ? (cluster['extensions'] as readonly unknown[])
    : [];
  const own = extensions.map(fieldsOf).find((each) => each?.['name'] === 'client.authentication.k8s.io/exec');
  return {
    ...(file !== undefined && { 'certificate-authority-data': readFileSync(file).toString('base64') }),
    ...Object.fromEntries(Object.entries(cluster).filter(([name]) => told.has(name))),
    ...(own !== undefined && { config: own['extension'] }),
  };
}
