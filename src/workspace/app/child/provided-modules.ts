/**
 * The modules that apps can import although no `node_modules` contains them. `npm run build` replaces this module in the
 * single file.
 */
export const providedModules: Readonly<Record<string, () => object>> = {};
