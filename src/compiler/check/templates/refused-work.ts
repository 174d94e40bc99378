import { diagnostic } from '../../model/diagnostic.ts';
import { isGoJsonObject, type GoJsonObject } from '../../../base/json/go-json.ts';
import { pointAt } from '../../model/point-at.ts';
import { groupVersionKind, nameOf } from '../../../base/objects/object-identity.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { splitIntoWorks } from '../../render/works/work-split.ts';
import { clusterCount } from '../../model/words.ts';
import { manifestLimit } from '../../render/works/manifest-limit.ts';
import { objectWords, renderedSample, templateKey } from './rendered-sample.ts';
import type { Rule } from '../rule.ts';
import { talliedPerPart, type Tallied } from './tally.ts';

/**
 * Reports works that OCM's webhook rejects as a whole. A hub without the webhook stores them, so they are part of the prediction.
 */
export const refusedWork: Rule = {
  codes: ['FW7122'],
  check: ({ rendering }) => findings(rendering.groups),
};

const findings = talliedPerPart(refusedIn);

function* refusedIn(group: RenderGroup): Iterable<Tallied> {
  const deployed = renderedSample(group).filter(({ isHook }) => !isHook);
  for (const { object, manifest } of deployed) {
    const { kind } = groupVersionKind(object);
    if (hasGenerateName(object)) {
      const message = `the hub's webhook rejects the work of ${objectWords(object)}, because it has a generateName`;
      yield refusal(group, manifest, message, 'write a name instead');
    } else if (nameOf(object) === '') {
      const message = `the hub's webhook rejects the work of this ${kind}, because its name is empty`;
      const hint =
        'write a name that is never empty: {{INSTALL_NAMESPACE}} is empty if no AddOnDeploymentConfig is used';
      yield refusal(group, manifest, message, hint);
    }
  }
  const split = splitIntoWorks(deployed.map(({ object }) => object));
  if (deployed.length === 0 || 'error' in split) return;
  for (const work of split.works) {
    const size = work.reduce((sum, { size }) => sum + size, 0);
    const large = deployed.find(({ object }) => object === work[0]?.object);
    if (large === undefined || size <= manifestLimit) continue;
    const message = `the hub's webhook rejects the work of ${objectWords(large.object)}, which has ${size} bytes: the limit is ${manifestLimit}`;
    yield refusal(group, large.manifest, message, 'split the manifest, or let the agent fetch what it needs');
  }
}

function hasGenerateName({ metadata }: GoJsonObject): boolean {
  const { generateName } = isGoJsonObject(metadata) ? metadata : {};
  return typeof generateName === 'string' && generateName !== '';
}

function refusal(group: RenderGroup, manifest: number | undefined, message: string, hint: string): Tallied {
  const path = ['spec', 'agentSpec', 'workload', ...(manifest === undefined ? [] : ['manifests', manifest])];
  return {
    key: templateKey(group, ...path, message),
    clusters: group.clusters.length,
    tell: (clusters) =>
      diagnostic('FW7122', {
        message: `${message} (on ${clusterCount(clusters)})`,
        ...pointAt(group.template, path),
        hint,
      }),
  };
}
