import { goFunction, UnsupportedFunctionError, type GoFunction } from '../../gotemplate/index.ts';

const random = 'its result is random, so that the same input would render differently each time';

const randomNames = [
  'randAlphaNum',
  'randAlpha',
  'randAscii',
  'randNumeric',
  'randInt',
  'randBytes',
  'shuffle',
  'uuidv4',
  'bcrypt',
  'htpasswd',
  'genPrivateKey',
  'genCA',
  'genCAWithKey',
  'genSelfSignedCert',
  'genSelfSignedCertWithKey',
  'genSignedCert',
  'genSignedCertWithKey',
  'encryptAES',
];

/** Functions of sprig that no public chart is known to call. */
const secretNames = ['decryptAES', 'derivePassword'];
const secret = 'it makes a secret of texts in the chart, which the output would contain';

/** Functions that parse, so that a chart that does not call them renders, and that are an error where they are called. */
export const unsupportedFunctions: Readonly<Record<string, GoFunction>> = Object.fromEntries([
  ...randomNames.map((name) => [name, unsupported(random)] as const),
  ...secretNames.map((name) => [name, unsupported(secret)] as const),
]);

function unsupported(reason: string): GoFunction {
  return goFunction('...any -> any', () => {
    throw new UnsupportedFunctionError(`not supported: ${reason}`);
  });
}
