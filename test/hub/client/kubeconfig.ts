import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Where an API server is, and how to be let in. */
export interface Access {
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  /** A client certificate with its key in PEM, or a bearer token. */
  readonly certificate?: string;
  readonly key?: string;
  readonly token?: string;
}

interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string };
  }[];
  readonly users: readonly {
    readonly user: {
      readonly 'client-certificate-data'?: string;
      readonly 'client-key-data'?: string;
      readonly token?: string;
    };
  }[];
}

/** Reads a kubeconfig as the hub writes it: one cluster, one user, everything inside the file. */
export function readAccess(path: string): Access {
  const { clusters, users } = parse(readFileSync(path, 'utf8')) as Kubeconfig;
  const [cluster, user] = [clusters[0]?.cluster, users[0]?.user];
  if (cluster === undefined || user === undefined) throw new Error(`${path} holds no cluster or no user`);
  const { 'client-certificate-data': certificate, 'client-key-data': key, token } = user;
  return {
    server: cluster.server,
    ca: fromBase64(cluster['certificate-authority-data']),
    ...(certificate !== undefined && { certificate: fromBase64(certificate) }),
    ...(key !== undefined && { key: fromBase64(key) }),
    ...(token !== undefined && { token }),
  };
}

/** How TLS is set up with an access. */
export function clientTls({ ca, certificate, key }: Access): {
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
} {
  return { ca, ...(certificate !== undefined && { cert: certificate }), ...(key !== undefined && { key }) };
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}
