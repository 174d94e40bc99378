import { normalizeTime } from '../rfc3339.ts';

/** The formats of OCM's schemas, as kube-openapi strfmt checks them. */
export const formats = {
  /** As strfmt IsDateTime: looser than RFC 3339 in what follows the seconds. */
  'date-time': isDateTime,
  /** As govalidator IsBase64, which takes no empty text. */
  byte: (text: string) => base64.test(text),
  // as apiextensions since Kubernetes 1.36; older API servers let every integer pass
  int32: (value: number) => value >= -(2 ** 31) && value < 2 ** 31,
  // the largest, 2^63 - 1, comes as a bigint
  int64: (value: number) => value >= -(2 ** 63) && value < 2 ** 63,
} as const;

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const timeOfDay = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|([+-]\d{2}:\d{2}))$/;

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  const moment = time === undefined ? null : timeOfDay.exec(time);
  if (moment === null || normalizeTime(`${date}T00:00:00Z`) === undefined) return false;
  return Number(moment[1]) <= 23 && Number(moment[2]) <= 59 && Number(moment[3]) <= 59;
}
