/**
 * Whether this is the single file, `build/fleetwright.mjs`, running alone: without the package around it and without
 * `node_modules`. `npm run build` replaces this module there.
 */
export const isSingleFile: boolean = false;
