import { expect, test } from 'vitest';
import { readSettings } from '../../../../src/controller/configuration/settings.ts';
import { hubSettings } from '../../../../src/controller/hub/hub-settings.ts';
import { parseAllowedSigner } from '../../../../src/controller/hub/signing/allowed-signer.ts';

test('a signer has an authority, and may be for one add-on alone', () => {
  const authority = { namespace: 'pki', name: 'logs-ca.v1' };
  expect(parseAllowedSigner('example.com/logs=pki/logs-ca.v1')).toEqual({
    signerName: 'example.com/logs',
    authority,
    addOn: undefined,
  });
  expect(parseAllowedSigner('example.com/a/b=pki/logs-ca.v1:logs')).toEqual({
    signerName: 'example.com/a/b',
    authority,
    addOn: 'logs',
  });
});

test.each(['kubernetes.io/kube-apiserver-client', 'kubernetes.io/kubelet-serving', 'x.k8s.io/y'])(
  'the signer %s is that of Kubernetes, and reported',
  (signer) => {
    const message = `must be a signer of add-ons: Kubernetes itself signs for ${signer}, and needs no setting`;
    expect(readSettings(hubSettings, { signer: [`${signer}=pki/ca`] }, {}).problems).toEqual([
      { setting: 'signer', from: 'flag', message },
    ]);
  },
);

test.each([
  '',
  'example.com/logs',
  'logs=pki/ca',
  'example.com/logs=ca',
  'example.com/logs=pki/ca:',
  'a/b=c/d/e',
])('%j names no cluster, and is reported', (text) => {
  const problem = {
    setting: 'signer',
    from: 'flag',
    message: 'must be SIGNER=NAMESPACE/SECRET or SIGNER=NAMESPACE/SECRET:ADD-ON',
  };
  expect(readSettings(hubSettings, { signer: [text] }, {}).problems).toEqual([problem]);
});
