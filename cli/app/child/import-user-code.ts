/** Runs the module of an app, which the parent made JavaScript of, and returns what it exports. */
export async function importUserCode(url: string): Promise<{ readonly default?: unknown }> {
  return (await import(url)) as { readonly default?: unknown };
}
