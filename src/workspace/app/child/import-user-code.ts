/** Runs the module of an app, which the parent compiled to JavaScript, and returns its exports. */
export async function importUserCode(url: string): Promise<{ readonly default?: unknown }> {
  return (await import(url)) as { readonly default?: unknown };
}
