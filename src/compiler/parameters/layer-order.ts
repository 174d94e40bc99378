import type { Layer } from './model.ts';

/** Returns layers weakest first. Placements of the install strategy are in its order. */
export function orderedLayers(layers: readonly Layer[], placements: readonly string[]): readonly Layer[] {
  const byPlacement = layers
    .filter(({ scope }) => scope.rank === 'placement')
    .sort((a, b) => placementIndex(a, placements) - placementIndex(b, placements));
  let next = 0;
  return layers.map((layer) => (layer.scope.rank === 'placement' ? (byPlacement[next++] ?? layer) : layer));
}

/** Returns the position of a layer's placement in the install strategy; -1 if it is not there. */
export function placementIndex({ scope }: Layer, placements: readonly string[]): number {
  if (scope.rank !== 'placement') return -1;
  const { placement } = scope;
  return placements.findIndex((key) => key === placement || key.endsWith(`/${placement}`));
}

/** Whether the order of two layers of any rank is defined. */
export function isOrdered(a: Layer, b: Layer, placements: readonly string[]): boolean {
  if (a.scope.rank !== b.scope.rank || a.order !== b.order) return true;
  if (a.scope.rank === 'where') return a.origin === b.origin;
  return a.scope.rank === 'placement' && placementIndex(a, placements) !== placementIndex(b, placements);
}
