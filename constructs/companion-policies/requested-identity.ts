/** The identity that a certificate request has to ask for, as CEL expressions of type string. */
export interface ExpectedIdentity {
  readonly commonName: string;
  /** Every organization of the request is one of these. */
  readonly organizations: readonly string[];
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Characters at their codes. Control characters are spaces, and other codes than ASCII are missing. */
const ascii = Array.from({ length: 127 }, (_, code) => String.fromCharCode(Math.max(code, 32))).join('');

// In DER an object identifier has one encoding: 06, its length, its octets. 2.5.4.3 and 2.5.4.10.
const commonNameType = '0603550403';
const organizationType = '060355040a';
const stringTypes = { utf8: '0c', printable: '13' };

/**
 * CEL variables that read from a PKCS #10 request for whom the certificate is. `isExpectedIdentity` is whether its only common
 * name is the expected one and its organizations are among the expected ones.
 *
 * CEL has no functions for Base64 and DER. So the variables write the request in hexadecimal, and count the object identifiers
 * with and without the expected text behind them. A name cannot hide: Go, which signs, takes DER alone, where an identifier has
 * one encoding. Octets that look like an identifier but are something else lead to a refusal, never to an approval.
 *
 * @param request - CEL expression: PEM in Base64, as the spec of a CertificateSigningRequest has it
 */
export function requestedIdentity(
  request: string,
  { commonName, organizations }: ExpectedIdentity,
): Readonly<Record<string, string>> {
  const values = 'variables.organizationValues.map(value, ';
  return {
    base64: JSON.stringify(alphabet),
    ascii: JSON.stringify(ascii),
    hex: "'0123456789abcdef'",
    // Without line breaks and spaces, of which Go ignores those in the middle.
    pem: `${base64Decoded(request, (octet) => `variables.ascii.charAt(${octet})`)}.replace(' ', '')`,
    isPem:
      "variables.pem.matches('^-----BEGINCERTIFICATEREQUEST-----[A-Za-z0-9+/]+=?=?-----ENDCERTIFICATEREQUEST-----$')",
    der: base64Decoded("variables.pem.split('-----')[2]", hexOf),
    commonNameValue: encodedText(commonName),
    organizationValues: `[${organizations.join(', ')}].map(text, ${encodedText('text')})`,
    isExpectedIdentity: [
      'variables.isPem',
      `${count(`'${commonNameType}'`)} == 1`,
      `${Object.values(stringTypes)
        .map((type) => count(`'${commonNameType}${type}' + variables.commonNameValue`))
        .join(' + ')} == 1`,
      `${count(`'${organizationType}'`)} == ${Object.values(stringTypes)
        .map((type) => `${values}${count(`'${organizationType}${type}' + value`)}).sum()`)
        .join(' + ')}`,
    ].join(' && '),
  };
}

/** How often a text is in the request. */
function count(text: string): string {
  return `(variables.der.split(${text}).size() - 1)`;
}

/** Text from Base64, with each octet written by an expression. What is missing at the end is a zero. */
function base64Decoded(text: string, octetText: (octet: string) => string): string {
  const digits = [0, 1, 2, 3].map((index) => `variables.base64.indexOf(four.charAt(${index}))`);
  const number = digits.reduce((sum, digit) => `(${sum}) * 64 + ${digit}`);
  const octets = ['n / 65536', 'n / 256 % 256', 'n % 256'].map(octetText).join(' + ');
  return `${text}.replace('=', 'A').findAll('.{4}').map(four, ${number}).map(n, ${octets}).join('')`;
}

function hexOf(octet: string): string {
  return `variables.hex.charAt(${octet} / 16) + variables.hex.charAt(${octet} % 16)`;
}

/** The length and the octets of a text of less than 256 characters, as DER has them. */
function encodedText(text: string): string {
  const length = `(${text}).size()`;
  const octets = `(${text}).split('').map(character, ${hexOf('variables.ascii.indexOf(character)')}).join('')`;
  return `(${length} < 128 ? '' : '81') + ${hexOf(length)} + ${octets}`;
}
