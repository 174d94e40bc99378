import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { HubReader } from './hub-reader.ts';

/** Lists the objects of a hub. */
export type HubLists = Pick<HubReader, 'list' | 'resourcesOf'>;

/** Returns a reader that lists each kind once: it keeps complete lists, and takes the objects with a label from them. */
export function listingOnce(hub: HubLists): HubLists {
  const complete = new Map<string, ReturnType<HubLists['list']>>();
  return {
    resourcesOf: async (group) => await hub.resourcesOf(group),
    list: async (resource, selection) => {
      const key = `${resource.apiVersion}/${resource.plural}`;
      const { labelSelector, ...others } = selection ?? {};
      if (Object.keys(others).length > 0) return await hub.list(resource, selection);
      const known = complete.get(key);
      if (labelSelector === undefined) {
        const listed = known ?? hub.list(resource);
        complete.set(key, listed);
        return await listed;
      }
      const [, label, value] = /^([^=!,]+)=([^=,]+)$/.exec(labelSelector) ?? [];
      if (known === undefined || label === undefined) return await hub.list(resource, selection);
      const hasLabel = ({ metadata }: KubernetesObject): boolean => metadata.labels?.[label] === value;
      return (await known)?.filter(hasLabel);
    },
  };
}
