import { byteLength } from '../admit/names.ts';

const name = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const value = `(${name})?`;
const subdomain = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';

const namePattern = new RegExp(`^${name}$`);
const valuePattern = new RegExp(`^${value}$`);
const subdomainPattern = new RegExp(`^${subdomain}$`);

const valueFault =
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ` +
  `(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${value}')`;
const nameFault =
  `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ` +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${name}')`;
const subdomainFault =
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character ` +
  `(e.g. 'example.com', regex used for validation is '${subdomain}')`;

/** Why a text is no label value, in apimachinery's words; empty where it is one. As validation.IsValidLabelValue. */
export function labelValueFaults(text: string): string[] {
  const faults: string[] = [];
  if (byteLength(text) > 63) faults.push(tooLong(63));
  if (!valuePattern.test(text)) faults.push(valueFault);
  return faults;
}

/** Why a text is no label key, in apimachinery's words; empty where it is one. As validation.IsQualifiedName. */
export function labelKeyFaults(text: string): string[] {
  const parts = text.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2)
    return [
      `a qualified name ${nameFault} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const faults = second === undefined ? [] : prefixFaults(first);
  const last = second ?? first;
  if (last === '') faults.push('name part must be non-empty');
  else if (byteLength(last) > 63) faults.push(`name part ${tooLong(63)}`);
  if (!namePattern.test(last)) faults.push(`name part ${nameFault}`);
  return faults;
}

function prefixFaults(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  const faults: string[] = [];
  if (byteLength(prefix) > 253) faults.push(`prefix part ${tooLong(253)}`);
  if (!subdomainPattern.test(prefix)) faults.push(`prefix part ${subdomainFault}`);
  return faults;
}

function tooLong(bytes: number): string {
  return `must be no more than ${bytes} bytes`;
}
