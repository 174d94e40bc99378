/** The keys and positions of a value, from the values of the root chart. */
export type ValuePath = readonly (string | number)[];

/**
 * Returns where a value is set: global values are copied into the values of each subchart.
 *
 * @param charts - the names of the charts around the template that reads the value, without the root
 */
export function withoutCharts(path: ValuePath, charts: readonly string[]): ValuePath {
  const at = path.indexOf('global');
  const isOfSubchart = at > 0 && path.slice(0, at).every((step, index) => step === charts[index]);
  return isOfSubchart ? path.slice(at) : path;
}
