import {
  comparedApps,
  type ComparedApps,
  requiredOfOthers,
} from '../../../compiler/check/requirements/across-apps.ts';
import type { HubVersion, Resolution } from '../../../compiler/index.ts';

/**
 * Compares the requirements of apps with the other apps of the workspace, as `synth` does. The others are read only while a requirement
 * names an add-on that the apps read so far do not have. An app that does not resolve is not compared, and its errors are not reported.
 *
 * @param others - reads and resolves the other apps, one after the other
 */
export async function comparedWithOthers(
  resolutions: readonly Resolution[],
  hub: HubVersion,
  others: () => AsyncIterable<Resolution | undefined>,
): Promise<ComparedApps> {
  const apps = resolutions.map((resolution) => ({ ...resolution, hub }));
  const compared: typeof apps = [];
  if (requiredOfOthers(apps).length > 0)
    for await (const other of others()) {
      if (other !== undefined) compared.push({ ...other, hub });
      if (requiredOfOthers([...apps, ...compared]).length === 0) break;
    }
  return comparedApps(apps, compared);
}
