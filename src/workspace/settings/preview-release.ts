import type { HubVersion } from '../../ocm/hub-version.ts';
import type { Diagnostic } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';

/** Reports that a release does not exist yet. Commands report it once, whatever the number of inputs. */
export function previewRelease({ name, isPreview }: HubVersion): readonly Diagnostic[] {
  if (!isPreview) return [];
  return [
    diagnostic('FW1016', {
      message: `OCM ${name} is a preview: predictions follow its main branch and its pull requests, not a release`,
      hint: 'do not apply the output before you have compared it with a hub of the release',
    }),
  ];
}
