import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { groupVersionKind, namespaceOf } from '../../../base/objects/object-identity.ts';
import { hasProxy } from '../../render/decoration/proxy.ts';
import { objectWords, renderedSample } from './rendered-sample.ts';
import type { Rule } from '../rule.ts';
import { usedConfigs } from './used-configs.ts';

/** Reports workloads that mount the proxy's CA bundle in a namespace other than the one that the hub delivers it to. */
export const unreachableCa: Rule = {
  codes: ['FW7126'],
  *check({ rendering }) {
    for (const { config, groups } of usedConfigs(rendering)) {
      const { proxyConfig = {} } = config.object.spec;
      if ((proxyConfig.caBundle ?? '') === '' || !hasProxy(proxyConfig)) continue;
      for (const group of groups) {
        const objects = renderedSample(group);
        const bundle = objects.find(
          ({ object, manifest }) => manifest === undefined && groupVersionKind(object).kind === 'ConfigMap',
        );
        if (bundle === undefined) continue;
        const namespace = namespaceOf(bundle.object);
        const apart = objects.find(
          ({ object, workload }) => workload !== undefined && namespaceOf(object) !== namespace,
        );
        if (apart === undefined) continue;
        yield diagnostic('FW7126', {
          message: `${objectWords(apart.object)} cannot start: it mounts the CA bundle from a ConfigMap that the hub delivers to namespace "${namespace}"`,
          ...pointAt(config, ['spec', 'proxyConfig', 'caBundle']),
          hint: 'set agentInstallNamespace to the namespace of the workloads, so that the hub delivers the ConfigMap there',
        });
        break;
      }
    }
  },
};
