import type { HubVersion } from '../../ocm/hub-version.ts';
import type { Diagnostic } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';

/** Reports that no hub of a release has confirmed the predictions. Commands report it once, whatever the number of inputs. */
export function previewRelease({ name, knownFrom }: HubVersion): readonly Diagnostic[] {
  if (knownFrom === 'hub') return [];
  return [
    diagnostic('FW1016', {
      message:
        knownFrom === 'source'
          ? `no hub of OCM ${name} has confirmed these predictions: they follow OCM's source and the lists of the release`
          : `OCM ${name} does not exist yet: predictions follow the release before it and OCM's pull requests`,
      hint: 'do not apply the output before you have compared it with a hub of the release',
    }),
  ];
}
