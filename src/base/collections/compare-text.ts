/**
 * Compares texts by code units, as `<` does, so that the order is the same on every machine. For ASCII, such as the names of
 * Kubernetes objects, this is also the order of bytes.
 */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
