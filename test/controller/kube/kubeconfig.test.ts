import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointOf, KubeconfigError } from '../../../controller/kube/kubeconfig.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-kubeconfig-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(content: string): string {
  const file = path.join(folder, 'config');
  writeFileSync(file, content);
  return file;
}

const config = `
apiVersion: v1
kind: Config
clusters: [{ name: hub, cluster: { server: https://hub.example.com:6443, certificate-authority-data: Q0E= } }]
users: [{ name: admin, user: { token: secret } }]
contexts: [{ name: hub, context: { cluster: hub, user: admin } }]
current-context: hub
`;

describe('a kubeconfig', () => {
  it('says where its API server is', () => {
    expect(endpointOf({ kubeconfig: written(config) })).toEqual({
      server: 'https://hub.example.com:6443',
      certificateAuthorityData: 'Q0E=',
    });
  });

  it.each([
    ['that is empty', '', undefined, 'cannot be read: it is empty, or no kubeconfig'],
    [
      'whose context has no cluster',
      'kind: Config\ncurrent-context: gone\n',
      undefined,
      'has no current context with a cluster',
    ],
    ['that lacks the context', config, 'other', 'has no context "other"; it has hub'],
  ])('%s leads nowhere, and the file is named', (_case, content, context, message) => {
    const kubeconfig = written(content);
    const address = { kubeconfig, ...(context !== undefined && { context }) };
    expect(() => endpointOf(address)).toThrow(new KubeconfigError(`${kubeconfig} ${message}`));
  });
});
