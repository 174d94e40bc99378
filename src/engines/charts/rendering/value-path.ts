/** The keys and positions of a value, from the values of the root chart. */
export type ValuePath = readonly (string | number)[];
