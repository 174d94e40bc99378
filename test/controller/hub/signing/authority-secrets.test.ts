import { afterEach, beforeEach, expect, test } from 'vitest';
import { AuthoritySecrets } from '../../../../src/controller/hub/signing/authority-secrets.ts';
import type { ApiObject } from '../../../../src/client/object.ts';
import { namespacedResource } from '../../../../src/client/resource.ts';
import { FakeApiServer, refuse } from '../../api-server.ts';
import { authorityCertificate, authoritySecret } from '../../../base/certificates/authorities.ts';
import { newKey } from '../../../base/certificates/forged-request.ts';
import { ManualClock } from '../../manual-clock.ts';

const secrets = namespacedResource<ApiObject & { readonly data?: object }>('v1', 'Secret', 'secrets');
const name = { namespace: 'default', name: 'authority' };

let server: FakeApiServer;
let clock: ManualClock;
let authorities: AuthoritySecrets;
let ended: AbortController;
beforeEach(async () => {
  server = await FakeApiServer.start();
  clock = new ManualClock();
  ended = new AbortController();
  authorities = new AuthoritySecrets(server.client(), clock);
});
afterEach(async () => await server.stop());

/** Writes an authority of some name into the Secret. */
async function write(authority: string): Promise<void> {
  const key = newKey();
  const year = 365 * 86_400_000;
  const certificate = authorityCertificate(key, {
    name: authority,
    notBefore: clock.now() - year,
    notAfter: clock.now() + year,
  });
  const data = authoritySecret(key, certificate);
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: name, data };
  await server.client().apply(secrets, secret);
}

const reads = (): number => server.requests.filter((line) => line.startsWith('GET ')).length;

test('many certificates at once make one reading, and a new authority is seen ten seconds later', async () => {
  await write('old');
  const all = await Promise.all(
    Array.from({ length: 50 }, async () => await authorities.read(name, ended.signal)),
  );
  expect(all.map(({ certificate }) => certificate.name.includes('old'))).not.toContain(false);
  expect(reads()).toBe(1);
  await write('new');
  expect((await authorities.read(name, ended.signal)).certificate.name.includes('old')).toBe(true);
  clock.stall(10_001);
  expect((await authorities.read(name, ended.signal)).certificate.name.includes('new')).toBe(true);
  expect(reads()).toBe(2);
});

test('a key leaves memory after ten seconds without a certificate, and immediately if this replica no longer signs', async () => {
  await write('authority');
  await authorities.read(name, ended.signal);
  await clock.pass(9_900);
  expect(authorities.size).toBe(1);
  await clock.pass(200);
  expect(authorities.size).toBe(0);
  await authorities.read(name, ended.signal);
  expect(authorities.size).toBe(1);
  ended.abort();
  await clock.pass(0);
  expect(authorities.size).toBe(0);
});

test('a missing Secret is requested again', async () => {
  await expect(authorities.read(name, ended.signal)).rejects.toThrow('there is no Secret default/authority');
  await write('late');
  expect((await authorities.read(name, ended.signal)).certificate.name.includes('late')).toBe(true);
});

test('an authority expires although its Secret is not written', async () => {
  await write('authority');
  await authorities.read(name, ended.signal);
  clock.step(366 * 86_400_000);
  await expect(authorities.read(name, ended.signal)).rejects.toThrow(
    'the Secret default/authority cannot sign: its certificate has expired at ',
  );
});

test('a Secret that may not be read is reported as such', async () => {
  server.intercept = (_, response) => {
    refuse(response, 403, 'Forbidden', 'secrets "authority" is forbidden');
    return true;
  };
  await expect(authorities.read(name, ended.signal)).rejects.toThrow(
    'the Secret default/authority may not be read: this controller lacks "get" on it',
  );
});
