/** A hash of the code in the single file. `npm run build` replaces this module. */
export const programHash: string = 'built by npm run build';
