import type { Configuration } from '../../configure/resolved-add-on.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import type { Inventory } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { didYouMean } from '../../model/suggestion.ts';

/** Reports profiles that predict nothing, because no manager renders such an add-on. */
export function unusedProfiles(
  { managerProfiles = new Map() }: Inventory,
  configuration: Configuration,
): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const [addOn, { declaration }] of managerProfiles) {
    const resolved = configuration.get(addOn);
    const report = (message: string, hint = 'remove the ManagerProfile'): void => {
      diagnostics.push(
        diagnostic('FW6044', { message, ...pointAt(declaration, ['metadata', 'name']), hint }),
      );
    };
    if (resolved === undefined)
      report(
        `there is no ClusterManagementAddOn "${addOn}"`,
        didYouMean(addOn, configuration.keys(), 'the add-ons are'),
      );
    else if (resolved.template)
      report(`add-on "${addOn}" is rendered from its AddOnTemplates, and not by a manager`);
    else if (!resolved.managed)
      report(`the hub resolves no configuration for add-on "${addOn}", because it has lifecycle: self`);
  }
  return diagnostics;
}
