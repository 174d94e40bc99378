import { diagnostic } from '../../model/diagnostic.ts';
import { isGoJsonObject } from '../../../base/json/go-json.ts';
import { pointAt } from '../../model/point-at.ts';
import { registrationVolumes } from '../../render/decoration/registration-volumes.ts';
import type { Rule } from '../rule.ts';

// as apimachinery DNS1123LabelMaxLength, which applies to volume names
const longestName = 63;

/** Reports registrations whose volumes are invalid in every pod: two with one name, or a name that is too long. */
export const registrationVolume: Rule = {
  codes: ['FW7127'],
  *check({ rendering }) {
    const reported = new Set<string>();
    for (const { addOn, template } of rendering.groups) {
      const volumes = registrationVolumes(addOn, template.object);
      if ('error' in volumes) continue;
      const names = new Set<string>();
      for (const [index, volume] of volumes.volumes.entries()) {
        const name = isGoJsonObject(volume) && typeof volume['name'] === 'string' ? volume['name'] : '';
        const fault = names.has(name)
          ? `a second volume "${name}"`
          : name.length > longestName
            ? `a volume "${name}", whose name has ${name.length} characters instead of at most ${longestName}`
            : undefined;
        names.add(name);
        const key = `${template.object.metadata.name}/${index}`;
        if (fault === undefined || reported.has(key)) continue;
        reported.add(key);
        yield diagnostic('FW7127', {
          message: `for this registration the hub adds to every pod ${fault}, so the cluster rejects the workloads`,
          ...pointAt(template, ['spec', 'registration', index]),
          hint:
            names.has(name) && fault.startsWith('a second')
              ? 'keep one registration for each signer'
              : 'choose a shorter signer name',
        });
      }
    }
  },
};
