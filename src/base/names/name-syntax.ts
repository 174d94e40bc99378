// The syntax of names and labels, as apimachinery's validation defines and prints it.

/** As validation.IsDNS1123Label. */
export const dnsLabelSyntax = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
/** As validation.IsDNS1123Subdomain. */
export const dnsSubdomainSyntax = `${dnsLabelSyntax}(\\.${dnsLabelSyntax})*`;
/** As validation.IsDNS1035Label. */
export const dns1035LabelSyntax = '[a-z]([-a-z0-9]*[a-z0-9])?';
/** As validation.IsQualifiedName, for the part after the prefix. */
export const qualifiedPartSyntax = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
/** As validation.IsValidLabelValue. */
export const labelValueSyntax = `(${qualifiedPartSyntax})?`;

export const isDnsLabel = syntaxTest(dnsLabelSyntax);
export const isDnsSubdomain = syntaxTest(dnsSubdomainSyntax);
export const isDns1035Label = syntaxTest(dns1035LabelSyntax);
export const isQualifiedPart = syntaxTest(qualifiedPartSyntax);
export const isLabelValue = syntaxTest(labelValueSyntax);

/** Returns a test for whether the whole text matches a syntax. */
function syntaxTest(syntax: string): (text: string) => boolean {
  const whole = new RegExp(`^(?:${syntax})$`);
  return (text) => whole.test(text);
}

// oxlint-disable-next-line no-control-regex -- in this range bytes and UTF-16 code units agree
const ascii = /^[\0-\x7f]*$/;

/**
 * Returns a name that a prefix such as `my-` could become. As apimachinery maskTrailingDash, which removes two bytes: if they are
 * not ASCII, the remaining text is malformed.
 */
export function maskTrailingDash(text: string): string {
  if (text.length < 2 || !text.endsWith('-')) return text;
  const rest = text.slice(0, -1).replace(/[\0-\x7f]$/, '');
  return rest.length === text.length - 1 ? `${rest}\ufffda` : `${rest}a`;
}

/** Returns the length in UTF-8, which is the unit of Go. */
export function byteLength(text: string): number {
  return ascii.test(text) ? text.length : new TextEncoder().encode(text).length;
}
