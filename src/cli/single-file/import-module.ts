/** A parameter of the program: its own code is no module, and a script cannot import. */
declare const importOutside: (url: string) => Promise<unknown>;

/** Imports a module by its URL. */
export async function importModule(url: string): Promise<unknown> {
  return await importOutside(url);
}
