import { diagnostic } from '../../model/diagnostic.ts';
import { formatFieldPath } from '../../model/field-path.ts';
import type { GoJsonObject, GoJsonValue } from '../../../base/json/go-json.ts';
import { pointAt } from '../../model/point-at.ts';
import { groupVersionKind } from '../../../base/objects/object-identity.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { conversionFault } from '../../../base/typed/typed-conversion.ts';
import { clusterCount } from '../../model/words.ts';
import { objectWords, renderedSample, templateKey } from './rendered-sample.ts';
import type { Rule } from '../rule.ts';
import { talliedPerPart, type Tallied } from './tally.ts';
import { messageJson } from '../../../base/json/message-json.ts';

/** Reports Deployments and DaemonSets with a field of the wrong type. The hub silently does not treat them as workloads. */
export const undecoratedWorkload: Rule = {
  codes: ['FW7104'],
  check: ({ rendering }) => findings(rendering.groups),
};

const findings = talliedPerPart(undecoratedIn);

function* undecoratedIn(group: RenderGroup): Iterable<Tallied> {
  for (const { object, workload, manifest } of renderedSample(group)) {
    const { group: apiGroup, kind } = groupVersionKind(object);
    if (workload !== undefined || manifest === undefined) continue;
    if (apiGroup !== 'apps' || (kind !== 'Deployment' && kind !== 'DaemonSet')) continue;
    const field = conversionFault(kind, object) ?? [];
    yield {
      key: templateKey(group, manifest),
      clusters: group.clusters.length,
      tell: (clusters) =>
        diagnostic('FW7104', {
          message: `${objectWords(object)} is delivered unchanged on ${clusterCount(clusters)}, without registrations, proxy and everything else that the hub adds: Go cannot read ${formatFieldPath(field)} ${shown(object, field)}`,
          ...pointAt(group.template, ['spec', 'agentSpec', 'workload', 'manifests', manifest, ...field]),
          hint: 'variables are always inside strings and remain strings: a numeric field needs a number in the template',
        }),
    };
  }
}

function shown(object: GoJsonObject, field: readonly (string | number)[]): string {
  let value: GoJsonValue | undefined = object;
  for (const step of field)
    value = (value as Readonly<Record<string | number, GoJsonValue>> | undefined)?.[step];
  return typeof value === 'object' ? '' : `(${messageJson(value)})`;
}
