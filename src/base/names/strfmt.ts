import { normalizeTime } from '../time/rfc3339.ts';

/** Whether a text is a date, as strfmt IsDate of kube-openapi. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && normalizeTime(`${text}T00:00:00Z`) !== undefined;
}

const timeOfDay = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/u;

/** Whether a text is a time, as strfmt IsDateTime: less strict than RFC 3339 after the seconds. */
export function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const [, hour = '', minute = '', second = ''] = timeOfDay.exec(time) ?? [];
  return isDate(date) && hour !== '' && hour <= '23' && minute <= '59' && second <= '59';
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

/** Whether a text is base64, as govalidator IsBase64, which rejects an empty text. */
export function isBase64(text: string): boolean {
  return base64.test(text);
}
