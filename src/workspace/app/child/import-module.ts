/** Imports a module by its URL. `npm run build` replaces this module in the single file, whose code is no module itself. */
export async function importModule(url: string): Promise<unknown> {
  return await import(url);
}
