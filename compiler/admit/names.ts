const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dnsLabel = new RegExp(`^${label}$`);
const dnsSubdomain = new RegExp(`^${label}(\\.${label})*$`);
const dns1035Label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const qualifiedPart = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
// oxlint-disable-next-line no-control-regex -- in this range bytes and UTF-16 code units agree
const ascii = /^[\0-\x7f]*$/;

/** What is wrong with a text as the name of something; undefined where nothing is. Continues a sentence: `… must be …`. */
export type NameRule = (text: string) => string | undefined;

/** As apimachinery validation.IsDNS1123Label: namespaces. */
export const dnsLabelFault: NameRule = (text) => {
  if (byteLength(text) > 63) return tooLong(text, 63);
  if (dnsLabel.test(text)) return undefined;
  if (dnsSubdomain.test(text)) return 'must not contain dots';
  return "must consist of lower-case letters, digits and '-', and begin and end with a letter or digit";
};

/** As apimachinery validation.IsDNS1123Subdomain: names of custom resources. */
export const dnsSubdomainFault: NameRule = (text) => {
  if (byteLength(text) > 253) return tooLong(text, 253);
  if (dnsSubdomain.test(text)) return undefined;
  return "must consist of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit";
};

/** As apimachinery validation.IsDNS1035Label: kinds, in lower case. */
export const dns1035LabelFault: NameRule = (text) => {
  if (byteLength(text) > 63) return tooLong(text, 63);
  if (dns1035Label.test(text)) return undefined;
  return "must consist of letters, digits and '-', begin with a letter and end with a letter or digit";
};

/** As apimachinery path.IsValidPathSegmentName: what holds for names of every kind. */
export const pathSegmentFault: NameRule = (text) => {
  if (text === '.' || text === '..') return `must not be '${text}'`;
  return pathSegmentPrefixFault(text);
};

/** As apimachinery path.IsValidPathSegmentPrefix: the begin of a name that the hub completes. */
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
  return qualifiedPart.test(name) ? undefined : qualifiedPartFault;
};

/** As apimachinery content.IsLabelValue. */
export const labelValueFault: NameRule = (text) => {
  if (byteLength(text) > 63) return tooLong(text, 63);
  return text === '' || qualifiedPart.test(text) ? undefined : qualifiedPartFault;
};

const qualifiedPartFault =
  "must consist of letters, digits, '-', '_' and '.', and begin and end with a letter or digit";

function tooLong(text: string, limit: number): string {
  return `must have at most ${limit} bytes, but has ${byteLength(text)}`;
}

/** The length in UTF-8, which is what Go measures. */
export function byteLength(text: string): number {
  return ascii.test(text) ? text.length : new TextEncoder().encode(text).length;
}
