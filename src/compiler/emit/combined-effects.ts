import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { EngineEffects } from './engine-effects.ts';

/** Combines what the engines of the hubs do: one entry per engine. */
export function combinedEffects(
  hubs: readonly { readonly hub: string; readonly engine: EngineEffects | undefined }[],
): readonly EngineEffects[] {
  const byEngine = new Map<EngineEffects['engine'], EngineEffects['effects'][number][]>();
  for (const { hub, engine } of hubs) {
    if (engine === undefined) continue;
    const ofEngine = getOrInsertComputed(byEngine, engine.engine, () => []);
    for (const effect of engine.effects)
      ofEngine.push({ ...effect, app: effect.app === '' ? hub : `${hub}/${effect.app}` });
  }
  return Array.from(byEngine, ([engine, ofEngine]) => ({ engine, effects: ofEngine }));
}
