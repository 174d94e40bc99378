import { diagnostic } from '../../diagnostic.ts';
import { pointAt } from '../../point-at.ts';
import { hooksAnnotation } from '../../render/hooks.ts';
import { renderedSample } from './rendered-sample.ts';
import type { Rule } from '../rule.ts';
import { usedTemplates } from './used-templates.ts';

/** Reports pre-delete hooks of add-ons with compiled delivery that the companion does not run. */
export const unrunHook: Rule = {
  codes: ['FW7128'],
  *check({ configuration, rendering }) {
    for (const { addOn, template, groups } of usedTemplates(rendering)) {
      const { delivery, runsHooks = false } = configuration.get(addOn) ?? {};
      if (delivery !== 'compiled') continue;
      const hooks = groups
        .map((group) => renderedSample(group).filter(({ isHook }) => isHook))
        .find(({ length }) => length > 0);
      if (hooks === undefined) continue;
      const what = hooks.length === 1 ? '1 pre-delete hook' : `${hooks.length} pre-delete hooks`;
      const at = pointAt(template, ['spec', 'agentSpec', 'workload', 'manifests']);
      const classOf = rendering.classesOf(addOn);
      if (!runsHooks)
        yield diagnostic('FW7128', {
          message: `nothing runs the ${what} of this template: add-on "${addOn}" has compiled delivery, and is removed with its works`,
          ...at,
          hint: 'let the companion run them (preDeleteHooks: "run"), remove them, or let the hub deliver',
        });
      else if (hooksAnnotation(hooks.map(({ object }) => object)) === undefined)
        yield diagnostic('FW7128', {
          message: `nothing runs the ${what} of this template: with more than 200,000 bytes, they are too large for the annotation that contains them`,
          ...at,
          hint: 'move data and scripts of the hooks into an image or a ConfigMap',
        });
      else if (classOf !== undefined) {
        const hosted = groups
          .flatMap(({ clusters }) => clusters)
          .find((cluster) => classOf(cluster).hosting !== undefined);
        if (hosted === undefined) continue;
        yield diagnostic('FW7128', {
          message: `nothing runs the ${what} of this template where add-on "${addOn}" is hosted, as on cluster "${hosted}"`,
          ...at,
          hint: 'clean up by hand where the add-on is hosted, or let the agent clean up when it stops',
        });
      }
    }
  },
};
