import { diagnostic } from '../../model/diagnostic.ts';
import { createPrivateKey } from 'node:crypto';
import { isJsonMap } from '../../../base/json/json-map.ts';
import { objectKey, type Admitted, type Inventory } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** Reports signing CAs whose key the hub cannot sign with. */
export const nonRsaCa: Rule = {
  codes: ['FW7120'],
  *check({ inventory, configuration, rendering }) {
    const secrets = secretsOf(inventory);
    const companions = new Set<string | undefined>();
    const hubs = new Set<string | undefined>();
    for (const { addOn, template } of rendering.groups) {
      const users = configuration.get(addOn)?.delivery === 'compiled' ? companions : hubs;
      users.add(template.object.metadata.name);
    }
    for (const template of inventory.addOnTemplates.values()) {
      const { name } = template.object.metadata;
      // The companion signs with other keys too.
      if (companions.has(name) && !hubs.has(name)) continue;
      for (const [index, { customSigner }] of (template.object.spec.registration ?? []).entries()) {
        if (customSigner === undefined) continue;
        const { name, namespace = 'open-cluster-management-hub' } = customSigner.signingCA;
        const secret = secrets.get(objectKey(namespace, name));
        const type = secret && keyType(secret.object);
        if (secret === undefined || type === undefined || type === 'rsa') continue;
        yield diagnostic('FW7120', {
          message: `the key of the signing CA "${namespace}/${name}" is of type ${type}, but the hub can sign with RSA keys only, so the agents get no certificates`,
          ...pointAt(template, ['spec', 'registration', index, 'customSigner', 'signingCA']),
          hint: 'create the CA with an RSA key, in PKCS#1 or PKCS#8',
          related: [{ message: 'the key', location: secret.origin.location }],
        });
      }
    }
  },
};

/** Returns the Secrets among the inputs, by `namespace/name`. */
function secretsOf({ others }: Inventory): ReadonlyMap<string, Admitted> {
  const secrets = others.filter(({ object }) => object.kind === 'Secret' && object.apiVersion === 'v1');
  return new Map(
    secrets.map((secret) => {
      const { namespace, name = '' } = secret.object.metadata;
      return [objectKey(namespace, name), secret];
    }),
  );
}

/** Returns undefined if the Secret has no readable key, for example if the inputs only have its name. */
function keyType({ data, stringData }: Admitted['object']): string | undefined {
  const encoded = fieldOf(data, 'tls.key');
  const pem =
    fieldOf(stringData, 'tls.key') ??
    (encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString());
  if (pem === undefined) return undefined;
  try {
    return createPrivateKey(pem).asymmetricKeyType;
  } catch {
    return undefined;
  }
}

function fieldOf(map: unknown, key: string): string | undefined {
  const value = isJsonMap(map) ? map[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}
