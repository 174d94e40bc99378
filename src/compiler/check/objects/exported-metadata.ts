import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { oncePer } from '../../../base/collections/once-per.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { hubMetadataOf } from '../../hub-metadata.ts';
import { objectsOfApp } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { counted } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

const fieldsOf = oncePer((object: KubernetesObject) => hubMetadataOf(object));

/** Reports once the metadata of exported objects, which the output does not have. */
export const exportedMetadata: Rule = {
  codes: ['FW7180'],
  *check({ inventory }) {
    const exported = objectsOfApp(inventory).flatMap((admitted) => {
      const fields = fieldsOf(admitted.object);
      return fields.length > 0 ? [{ admitted, fields }] : [];
    });
    const [first] = exported;
    if (first === undefined) return;
    const fields = [...new Set(exported.flatMap((each) => each.fields))].sort();
    const subject =
      exported.length === 1
        ? 'this object has metadata'
        : `${counted(exported.length, 'object')} have metadata`;
    yield diagnostic('FW7180', {
      message: `${subject} that only a hub, its controllers or kubectl write, and synth omits it: ${fields.join(', ')}`,
      ...pointAt(first.admitted, ['metadata']),
      hint: 'remove these fields; fleetwright import writes exported objects without them',
    });
  },
};
