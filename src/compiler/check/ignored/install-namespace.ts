import { addOnGroup } from '../../../../schemas/groups.ts';
import { defaultInstallNamespace } from '../../../ocm/install-namespace.ts';
import { isOfKind, textAt } from '../../api/placement-references.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { objectsOfApp } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/** Reports installNamespace of ManagedClusterAddOns whose add-ons come from templates, which do not read it. */
export const installNamespaceRule: Rule = {
  codes: ['FW8333'],
  *check({ inventory, configuration }) {
    for (const installed of objectsOfApp(inventory)) {
      if (!isOfKind(installed, addOnGroup, 'ManagedClusterAddOn')) continue;
      const path = ['spec', 'installNamespace'];
      const namespace = textAt(installed.object, path);
      // the API server writes the default
      if (namespace === undefined || namespace === defaultInstallNamespace) continue;
      if (configuration.get(installed.object.metadata.name ?? '')?.template !== true) continue;
      yield diagnostic('FW8333', {
        message: `an add-on of a template does not read installNamespace ${quote(namespace)}`,
        ...pointAt(installed, path),
        hint: 'set agentInstallNamespace in an AddOnDeploymentConfig that the add-on uses',
      });
    }
  },
};
