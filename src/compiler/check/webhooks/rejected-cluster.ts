import type { ManagedClusterV1 } from '../../../../schemas/types.gen.ts';
import { goQuote } from '../../../base/go/quote.ts';
import { dnsLabelErrors } from '../../../base/names/name-errors.ts';
import { parseUrl } from '../../../engines/charts/functions/url-syntax.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

const admission =
  'admission webhook "managedclustervalidators.admission.cluster.open-cluster-management.io" denied the request';

/**
 * Reports ManagedClusters that OCM's webhook rejects, each fault separately. Clusters of the snapshot are on the hub already.
 */
export const rejectedCluster: Rule = {
  codes: ['FW8302'],
  *check({ inventory }) {
    for (const cluster of inventory.managedClusters.values()) {
      if (cluster.source !== 'app') continue;
      for (const { message, path, hint } of rejections(cluster.object))
        yield diagnostic('FW8302', { message: `${admission}: ${message}`, ...pointAt(cluster, path), hint });
    }
  },
};

interface Rejection {
  readonly message: string;
  readonly path: FieldPath;
  readonly hint: string;
}

/** As validateManagedClusterObj, which checks nothing, not even the name, without client configurations. */
function* rejections({ metadata, spec }: ManagedClusterV1): Iterable<Rejection> {
  const configs = spec?.managedClusterClientConfigs ?? [];
  if (configs.length === 0) return;
  const nameErrors = dnsLabelErrors(metadata.name ?? '');
  if (nameErrors.length > 0)
    yield {
      message: `metadata.name format is not correct: ${nameErrors.join(',')}`,
      path: ['metadata', 'name'],
      hint: 'the hub creates a namespace with the name of the cluster: use lower case letters, digits and dashes',
    };
  for (const [index, { url = '' }] of configs.entries()) {
    if (isHttps(url)) continue;
    yield {
      message: `url ${goQuote(url)} is invalid in client configs`,
      path: ['spec', 'managedClusterClientConfigs', index, 'url'],
      hint: 'write the https URL of the API server of the cluster',
    };
  }
}

/** As IsValidHTTPSURL of OCM. */
function isHttps(url: string): boolean {
  try {
    return url !== '' && parseUrl(url).scheme === 'https';
  } catch {
    return false;
  }
}
