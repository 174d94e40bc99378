import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { hooksAnnotation } from '../../render/works/hooks.ts';
import { locateObjects } from '../../render/works/manifest-location.ts';
import type { RenderedObject } from '../../render/manifests.ts';
import type { Rendering, RenderGroup } from '../../render/render-result.ts';
import { counted } from '../../model/words.ts';
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
      const at = pointAt(template, ['spec', 'agentSpec', 'workload', 'manifests']);
      const hooks = groups.map((group) => hooksIn(renderedSample(group))).find(({ length }) => length > 0);
      if (hooks === undefined) continue;
      if (!runsHooks) {
        yield diagnostic('FW7128', {
          message: `nothing runs the ${counted(hooks.length, 'pre-delete hook')} of this template: add-on "${addOn}" has compiled delivery, and is removed with its works`,
          ...at,
          hint: 'let the companion run them (preDeleteHooks: "run"), remove them, or let the hub deliver',
        });
        continue;
      }
      const deliveries = groups.flatMap((group) => deliveriesOf(group, rendering));
      const large = deliveries.find(
        ({ objects }) => hooksIn(objects).length > 0 && annotationOf(objects) === undefined,
      );
      const lone = deliveries.find(
        ({ host, objects }) =>
          host !== undefined && objects.length > 0 && objects.every(({ isHook }) => isHook),
      );
      if (large !== undefined)
        yield diagnostic('FW7128', {
          message: `nothing runs the ${counted(hooksIn(large.objects).length, 'pre-delete hook')} of this template${large.host === undefined ? '' : ` for hosting cluster "${large.host}"`}: with more than 200,000 bytes, they are too large for the annotation that contains them`,
          ...at,
          hint: 'move data and scripts of the hooks into an image or a ConfigMap',
        });
      else if (lone !== undefined)
        yield diagnostic('FW7128', {
          message: `nothing runs the ${counted(lone.objects.length, 'pre-delete hook')} of this template for hosting cluster "${lone.host}": add-on "${addOn}" delivers nothing else there, and only a work there can contain them`,
          ...at,
          hint: 'deliver another manifest to the hosting cluster, such as the ServiceAccount of the hooks, or give the hooks the location managed',
        });
    }
  },
};

/** Objects of an add-on that one cluster gets. */
interface Delivery {
  /** The hosting cluster, if it is the one that gets them. */
  readonly host: string | undefined;
  readonly objects: readonly RenderedObject[];
}

/** Returns what the clusters of a group get, those with the same location once. */
function deliveriesOf(group: RenderGroup, rendering: Rendering): readonly Delivery[] {
  const classOf = rendering.classesOf(group.addOn);
  const hosts = new Map(
    group.clusters.map((cluster) => {
      const hosting = classOf?.(cluster).hosting;
      return [hosting === undefined ? 'none' : hosting.state, hosting] as const;
    }),
  );
  const objects = renderedSample(group);
  return [...hosts.values()].flatMap((hosting) => {
    const located = locateObjects(objects, hosting !== undefined);
    if ('error' in located) return [];
    const managed = { host: undefined, objects: located.managed };
    return hosting?.state === 'ready'
      ? [managed, { host: hosting.name, objects: located.hosting }]
      : [managed];
  });
}

function hooksIn(objects: readonly RenderedObject[]): readonly RenderedObject[] {
  return objects.filter(({ isHook }) => isHook);
}

function annotationOf(objects: readonly RenderedObject[]): string | undefined {
  return hooksAnnotation(hooksIn(objects).map(({ object }) => object));
}
