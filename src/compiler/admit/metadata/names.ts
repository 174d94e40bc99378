import {
  byteLength,
  isDns1035Label,
  isDnsLabel,
  isDnsSubdomain,
  isQualifiedPart,
} from '../../../base/names/name-syntax.ts';

/** The fault of a text as a name; undefined if it is valid. Continues a sentence: `… must be …`. */
export type NameRule = (text: string) => string | undefined;

/** As apimachinery validation.IsDNS1123Label: namespaces. */
export const dnsLabelFault: NameRule = (text) => {
  if (byteLength(text) > 63) return tooLong(text, 63);
  if (isDnsLabel(text)) return undefined;
  if (isDnsSubdomain(text)) return 'must not contain dots';
  return "must consist of lower-case letters, digits and '-', and begin and end with a letter or digit";
};

/** As apimachinery validation.IsDNS1123Subdomain: names of custom resources. */
export const dnsSubdomainFault: NameRule = (text) => {
  if (byteLength(text) > 253) return tooLong(text, 253);
  if (isDnsSubdomain(text)) return undefined;
  return "must consist of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit";
};

/** As apimachinery validation.IsDNS1035Label: kinds, in lower case. */
export const dns1035LabelFault: NameRule = (text) => {
  if (byteLength(text) > 63) return tooLong(text, 63);
  if (isDns1035Label(text)) return undefined;
  return "must consist of letters, digits and '-', begin with a letter and end with a letter or digit";
};

/** As apimachinery path.IsValidPathSegmentName: applies to names of every kind. */
export const pathSegmentFault: NameRule = (text) => {
  if (text === '.' || text === '..') return `must not be '${text}'`;
  return pathSegmentPrefixFault(text);
};

/** As apimachinery path.IsValidPathSegmentPrefix: the prefix of a name that the hub completes. */
export const pathSegmentPrefixFault: NameRule = (text) => {
  const character = ['/', '%'].find((forbidden) => text.includes(forbidden));
  return character === undefined ? undefined : `must not contain '${character}'`;
};

/** As apimachinery content.IsLabelKey: keys of labels, of annotations in lower case, and finalizers. */
export const qualifiedNameFault: NameRule = (text) => {
  const parts = text.split('/');
  if (parts.length > 2)
    return "must be a name, or a DNS subdomain, '/' and a name, such as example.com/my-name";
  const [prefix, name = ''] = parts.length === 2 ? parts : [undefined, text];
  if (prefix === '') return "must have a DNS subdomain before the '/'";
  const prefixFault = prefix === undefined ? undefined : dnsSubdomainFault(prefix);
  if (prefixFault !== undefined) return `${prefixFault} in the part before the '/'`;
  if (name === '') return prefix === undefined ? 'must not be empty' : "must have a name after the '/'";
  if (byteLength(name) > 63) return `${tooLong(name, 63)} in the name`;
  return isQualifiedPart(name) ? undefined : qualifiedPartFault;
};

/** As apimachinery content.IsLabelValue. */
export const labelValueFault: NameRule = (text) => {
  if (byteLength(text) > 63) return tooLong(text, 63);
  return text === '' || isQualifiedPart(text) ? undefined : qualifiedPartFault;
};

const qualifiedPartFault =
  "must consist of letters, digits, '-', '_' and '.', and begin and end with a letter or digit";

function tooLong(text: string, limit: number): string {
  return `must have at most ${limit} bytes, but has ${byteLength(text)}`;
}
