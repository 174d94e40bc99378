import { diagnostic } from '../../diagnostic.ts';
import { pointAt } from '../../point-at.ts';
import { renderedSample } from './rendered-sample.ts';
import type { Rule } from '../rule.ts';
import { usedTemplates } from './used-templates.ts';

/** Reports pre-delete hooks of add-ons with compiled delivery. When these are deleted, nothing runs the hooks first. */
export const unrunHook: Rule = {
  codes: ['FW7128'],
  *check({ configuration, rendering }) {
    for (const { addOn, template, groups } of usedTemplates(rendering)) {
      if (configuration.get(addOn)?.delivery !== 'compiled') continue;
      const hooks = groups
        .map((group) => renderedSample(group).filter(({ isHook }) => isHook))
        .find(({ length }) => length > 0);
      if (hooks === undefined) continue;
      const what = hooks.length === 1 ? '1 pre-delete hook' : `${hooks.length} pre-delete hooks`;
      yield diagnostic('FW7128', {
        message: `the hub never runs the ${what} of this template: add-on "${addOn}" has compiled delivery, and is removed with its works`,
        ...pointAt(template, ['spec', 'agentSpec', 'workload', 'manifests']),
        hint: 'remove them, let the agent clean up when it is stopped, or let the hub deliver',
      });
    }
  },
};
