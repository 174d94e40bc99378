import { expect, test } from 'vitest';
import { Plugin } from '../../../src/client/kubeconfig/plugin.ts';

const script = (text: string, ...env: readonly object[]) => ({ command: 'sh', args: ['-c', text], env });

test('a plugin answers a token, or a certificate with its key', async () => {
  const token = new Plugin(
    script('echo "{\\"status\\": {\\"token\\": \\"$A\\"}}"', { name: 'A', value: 'one' }),
  );
  expect(await token.credential()).toEqual({ token: 'one', cert: undefined, key: undefined });
  const certificate = new Plugin(
    script(`echo '{"status": {"clientCertificateData": "C", "clientKeyData": "K"}}'`),
  );
  expect(await certificate.credential()).toEqual({ token: undefined, cert: 'C', key: 'K' });
});

test.each([
  ['that does not answer', 'sleep 30', 'the plugin of the kubeconfig did not answer for 0.5 s'],
  ['whose child does not answer', 'sleep 30 & wait', 'the plugin of the kubeconfig did not answer for 0.5 s'],
  ['that writes without an end', 'yes x', 'the plugin of the kubeconfig wrote more than 1048576 bytes'],
  [
    'that complains without an end',
    'yes x >&2',
    'the plugin of the kubeconfig wrote more than 1048576 bytes',
  ],
  ['that fails', 'echo no >&2; exit 1', 'no\n'],
  ['that fails in silence', 'exit 1', 'the plugin of the kubeconfig failed without a message'],
  ['that asks a person', 'read -r answer || exit 1', 'the plugin of the kubeconfig failed without a message'],
  [
    'that answers with a token that is no text',
    `echo '{"status":{"token":{"a":1}}}'`,
    'the plugin of the kubeconfig returned neither a token nor a certificate',
  ],
  [
    'that answers with half of a pair',
    `echo '{"status":{"clientCertificateData":"c"}}'`,
    'the plugin of the kubeconfig returned a certificate without its key, or a key alone',
  ],
  ['that answers a list', 'echo "[]"', 'the plugin of the kubeconfig did not return an ExecCredential'],
])('a plugin %s fails soon', async (_, text, message) => {
  const started = performance.now();
  await expect(
    new Plugin(script(text), { timeout: text.includes('yes') ? 60_000 : 500 }).credential(),
  ).rejects.toThrow(new Error(message));
  expect(performance.now() - started).toBeLessThan(50_000);
});

test('a plugin that is not there is reported', async () => {
  await expect(new Plugin({ command: '/no/plugin' }).credential()).rejects.toThrow(
    'the plugin of the kubeconfig cannot be run: spawn /no/plugin ENOENT',
  );
  await expect(new Plugin({}).credential()).rejects.toThrow('the plugin of the kubeconfig has no command');
});
