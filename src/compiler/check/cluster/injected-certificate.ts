import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import { valueAt } from '../../../ocm/clusters/refused-change.ts';
import { talliedPerPart, type Tallied } from '../templates/tally.ts';
import type { Rule } from '../rule.ts';
import { deliveriesOf, isReported, type Delivery } from './deliveries.ts';
import { found } from './report.ts';

/**
 * Reports objects into which a controller of the cluster writes the certificate of an authority, and from which the agent removes it. With
 * strategy Update the agent sends the whole object. As EnsureCustomResourceDefinitionV1 of library-go, and applyUnstructured. Of webhook
 * configurations, and of ConfigMaps, it keeps the certificate.
 */
export const injectedCertificate: Rule = {
  codes: ['FW8326'],
  check: (input) => findings(deliveriesOf(input)),
};

/** The annotations with which an object asks for a certificate, with the controller that writes it. */
const injectors: Readonly<Record<string, string>> = {
  'cert-manager.io/inject-apiserver-ca': 'cert-manager',
  'cert-manager.io/inject-ca-from': 'cert-manager',
  'cert-manager.io/inject-ca-from-secret': 'cert-manager',
  'service.beta.openshift.io/inject-cabundle': 'the operator service-ca of OpenShift',
};

/** The path of the object with `caBundle`, by `group/Kind`. */
const holders: Readonly<Record<string, string>> = {
  'apiextensions.k8s.io/CustomResourceDefinition': 'spec.conversion.webhook.clientConfig',
  'apiregistration.k8s.io/APIService': 'spec',
};

const findings = talliedPerPart(overwritten);

function* overwritten(delivery: Delivery): Iterable<Tallied> {
  const { objects, options, clusters } = delivery;
  if (!isReported(delivery)) return;
  for (const { kindKey, object, resource, words, path } of objects) {
    const place = holders[kindKey];
    if (place === undefined || updateStrategyOf(options, resource) !== 'Update') continue;
    const injector = injectorOf(object);
    const holder = valueAt(object, place);
    if (injector === undefined || !isJsonMap(holder)) continue;
    const isAbsent = holder['caBundle'] === undefined;
    yield found('FW8326', delivery, {
      path: [...path, ...place.split('.')],
      message: `${injector} writes ${place}.caBundle of ${words}, and the work agent ${isAbsent ? 'removes it' : 'writes that of the manifest'}, each again and again`,
      hint: `add an entry to manifestConfigs with updateStrategy ServerSideApply for this object${isAbsent ? '' : ', and remove caBundle'}`,
      clusters: clusters.length,
    });
  }
}

function injectorOf({ metadata }: JsonMap): string | undefined {
  const annotations = isJsonMap(metadata) ? metadata['annotations'] : undefined;
  if (!isJsonMap(annotations)) return undefined;
  return Object.entries(injectors).find(
    ([key]) => typeof annotations[key] === 'string' && annotations[key] !== 'false',
  )?.[1];
}
