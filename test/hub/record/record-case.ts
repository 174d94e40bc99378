import type { Hub } from '../client/hub.ts';
import { readScenario, writeAnswer, writeWaves } from './case-folder.ts';
import { record } from './recording.ts';
import { removeScenario } from './remove-scenario.ts';
import { recordRollout } from './waves.ts';

/**
 * Applies the case in a folder to the hub, writes what the hub made of it beside it, and removes it from the hub again.
 * Returns whether the hub came to rest.
 */
export async function recordCase(hub: Hub, folder: string): Promise<boolean> {
  const scenario = readScenario(folder);
  try {
    if (scenario.update !== undefined) {
      writeWaves(folder, await recordRollout(hub, scenario));
      return true;
    }
    const { answer, settled } = await record(hub, scenario);
    writeAnswer(folder, answer);
    return settled;
  } finally {
    await removeScenario(hub, [...scenario.input, ...(scenario.update ?? [])]);
  }
}
