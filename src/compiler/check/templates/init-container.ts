import { diagnostic } from '../../model/diagnostic.ts';
import {
  isGoJsonList,
  isGoJsonObject,
  type GoJsonObject,
  type GoJsonValue,
} from '../../../base/json/go-json.ts';
import { pointAt } from '../../model/point-at.ts';
import { overrideImage } from '../../render/decoration/image-registries.ts';
import { hasProxy } from '../../render/decoration/proxy.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import type { Settings } from '../../render/settings.ts';
import { clusterCount } from '../../model/words.ts';
import { objectWords, renderedSample, templateKey } from './rendered-sample.ts';
import type { Rule } from '../rule.ts';
import { talliedPerPart, type Tallied } from './tally.ts';

const podPath = ['spec', 'template', 'spec'] as const;

/** Reports init containers, which no setting of a configuration affects. */
export const initContainer: Rule = {
  codes: ['FW7106'],
  check: ({ rendering }) => findings(rendering.groups),
};

const findings = talliedPerPart(untouchedIn);

function* untouchedIn(group: RenderGroup): Iterable<Tallied> {
  const { settings } = group.manifests;
  if ('error' in settings) return;
  for (const { object, workload, manifest } of renderedSample(group)) {
    if (workload === undefined || manifest === undefined) continue;
    for (const [index, container] of initContainersOf(object).entries()) {
      const missed = missedBy(container, settings);
      if (missed.length === 0) continue;
      yield {
        key: templateKey(group, manifest, index, missed),
        clusters: group.clusters.length,
        tell: (clusters) =>
          diagnostic('FW7106', {
            message: `init container "${text(container['name'])}" of ${objectWords(object)} gets no ${missed.join(' and no ')} on ${clusterCount(clusters)}: the hub changes only containers`,
            ...pointAt(group.template, [
              'spec',
              'agentSpec',
              'workload',
              'manifests',
              manifest,
              ...podPath,
              'initContainers',
              index,
            ]),
            hint: 'use variables in the init container, or set the values there',
          }),
      };
    }
  }
}

function initContainersOf(object: GoJsonObject): readonly GoJsonObject[] {
  let pod: GoJsonValue | undefined = object;
  for (const step of podPath) pod = isGoJsonObject(pod) ? pod[step] : undefined;
  const containers = isGoJsonObject(pod) ? pod['initContainers'] : undefined;
  return isGoJsonList(containers) ? containers.filter(isGoJsonObject) : [];
}

/** Returns how the settings would change a container. */
function missedBy(container: GoJsonObject, { registries = [], proxy }: Settings): string[] {
  const image = text(container['image']);
  return [
    ...(!('error' in registries) && overrideImage(image, registries) !== image
      ? ['image from the mirror']
      : []),
    ...(hasProxy(proxy) ? ['proxy'] : []),
  ];
}

function text(value: GoJsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
