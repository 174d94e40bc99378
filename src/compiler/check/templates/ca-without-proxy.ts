import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { hasProxy } from '../../render/decoration/proxy.ts';
import type { Rule } from '../rule.ts';
import { usedConfigs } from './used-configs.ts';

/** Reports CA bundles that no pod receives, because no proxy is configured with them. */
export const caWithoutProxy: Rule = {
  codes: ['FW7111'],
  *check({ rendering }) {
    for (const { config } of usedConfigs(rendering)) {
      const { proxyConfig = {} } = config.object.spec;
      if ((proxyConfig.caBundle ?? '') === '' || hasProxy(proxyConfig)) continue;
      yield diagnostic('FW7111', {
        message:
          'the hub delivers this CA bundle in a ConfigMap, but does not mount it into pods, because no proxy is set',
        ...pointAt(config, ['spec', 'proxyConfig', 'caBundle']),
        hint: 'set httpProxy, httpsProxy or noProxy, or mount the ConfigMap <add-on>-proxy-ca in the template',
      });
    }
  },
};
