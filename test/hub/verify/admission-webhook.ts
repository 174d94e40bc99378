import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { serverCertificate } from '../../client/server-certificate.ts';

interface Review {
  readonly request: { readonly uid: string; readonly object: KubernetesObject };
}

/** What a webhook makes of an object: a JSON patch, or the reason why it refuses the object. */
export type Admission = { readonly patch: readonly object[] } | { readonly refused: string };

/** A webhook that an API server on this machine can call. */
export interface AdmissionWebhook {
  /** For a webhook configuration. */
  readonly clientConfig: { readonly url: string; readonly caBundle: string };
  close(): Promise<void>;
}

/** Starts an admission webhook on a loopback port. */
export async function startWebhook(
  admit: (object: KubernetesObject) => Admission,
): Promise<AdmissionWebhook> {
  const { certificate, key } = serverCertificate('localhost');
  const server = https.createServer({ cert: certificate, key }, (request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { request: asked } = JSON.parse(text) as Review;
      const admission = admit(asked.object);
      const result =
        'patch' in admission
          ? {
              allowed: true,
              patchType: 'JSONPatch',
              patch: Buffer.from(JSON.stringify(admission.patch)).toString('base64'),
            }
          : { allowed: false, status: { message: admission.refused } };
      response.setHeader('Content-Type', 'application/json');
      response.end(
        JSON.stringify({
          apiVersion: 'admission.k8s.io/v1',
          kind: 'AdmissionReview',
          response: { uid: asked.uid, ...result },
        }),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    clientConfig: {
      url: `https://localhost:${port}/`,
      caBundle: Buffer.from(certificate).toString('base64'),
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
