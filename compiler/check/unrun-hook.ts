import { pointAt } from '../place/point-at.ts';
import { renderedSample } from './rendered-sample.ts';
import type { Rule } from './rule.ts';

/** Pre-delete hooks of add-ons with compiled delivery: when these go, nobody is there who runs anything before. */
export const unrunHook: Rule = function* ({ configuration, rendering }) {
  const told = new Set<string>();
  for (const group of rendering.groups) {
    const { addOn, template } = group;
    const key = `${addOn}/${template.object.metadata.name}`;
    if (configuration.get(addOn)?.delivery !== 'compiled' || told.has(key)) continue;
    const hooks = renderedSample(group).filter(({ isHook }) => isHook);
    if (hooks.length === 0) continue;
    told.add(key);
    const what = hooks.length === 1 ? '1 pre-delete hook' : `${hooks.length} pre-delete hooks`;
    yield {
      code: 'FW7128',
      severity: 'warning',
      message: `the ${what} of this template never run: add-on "${addOn}" is compiled, and goes when its works go`,
      ...pointAt(template, ['spec', 'agentSpec', 'workload', 'manifests']),
      hint: 'remove them, let the agent clean up when it is stopped, or let the hub deliver',
    };
  }
};
