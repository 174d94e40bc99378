import { isBase64, isDateTime } from '../../../base/names/strfmt.ts';

/** The formats of OCM's schemas, as the API server validates them. */
export const formats = {
  'date-time': isDateTime,
  byte: isBase64,
  // as apiextensions since Kubernetes 1.36; older API servers accept every integer
  int32: (value: number) => value >= -(2 ** 31) && value < 2 ** 31,
  // the largest, 2^63 - 1, is a bigint
  int64: (value: number) => value >= -(2 ** 63) && value < 2 ** 63,
} as const;
