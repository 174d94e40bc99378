import { goFunction, UnsupportedFunctionError, type GoFunction } from '../../gotemplate/index.ts';

const reason = 'its result is random, so that the same input would render differently each time';

const names = [
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

/** Functions that parse, so that a chart that does not call them renders, and that are an error where they are called. */
export const unsupportedFunctions: Readonly<Record<string, GoFunction>> = Object.fromEntries(
  names.map((name) => [
    name,
    goFunction('...any -> any', () => {
      throw new UnsupportedFunctionError(`not supported: ${reason}`);
    }),
  ]),
);
