import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { imageRegistriesAnnotation, parseImageRegistries } from '../../render/decoration/image-registries.ts';
import { clusterCount } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { usedConfigs } from './used-configs.ts';

/** Reports registries of a configuration that replace the registries in a cluster's annotation. */
export const shadowedRegistries: Rule = {
  codes: ['FW7112'],
  *check({ rendering }) {
    for (const { config, groups } of usedConfigs(rendering)) {
      const { registries } = config.object.spec;
      if (registries === undefined) continue;
      const shadowed = groups.filter(({ annotation = '' }) => {
        const annotated = parseImageRegistries(annotation);
        return !('error' in annotated) && annotated.registries !== undefined;
      });
      const clusters = shadowed.reduce((sum, group) => sum + group.clusters.length, 0);
      if (clusters === 0) continue;
      yield diagnostic('FW7112', {
        message: `these registries replace those of the annotation ${imageRegistriesAnnotation} on ${clusterCount(clusters)} completely${registries.length === 0 ? ', with an empty list' : ''}`,
        ...pointAt(config, ['spec', 'registries']),
        hint: 'remove registries to use those of the cluster, or repeat them here',
      });
    }
  },
};
