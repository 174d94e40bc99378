import { goFunction, UnsupportedFunctionError, type GoFunction } from '../../gotemplate/index.ts';

const random = 'its result is random, so that the same input would render differently each time';
const clock = 'its result depends on the time of rendering';
const missing = 'this compiler does not implement it';

const reasons: Readonly<Record<string, readonly string[]>> = {
  [random]: [
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
  ],
  [clock]: ['now', 'ago'],
  [missing]: [
    'buildCustomCert',
    'decryptAES',
    'derivePassword',
    'date',
    'date_in_zone',
    'date_modify',
    'dateInZone',
    'dateModify',
    'duration',
    'durationRound',
    'htmlDate',
    'htmlDateInZone',
    'must_date_modify',
    'mustDateModify',
    'mustToDate',
    'toDate',
    'unixEpoch',
    'urlParse',
    'urlJoin',
    'toToml',
    'fromToml',
    'toYamlPretty',
  ],
};

/** Functions that parse, so that a chart that does not call them renders, and that are an error where they are called. */
export const unsupportedFunctions: Readonly<Record<string, GoFunction>> = Object.fromEntries(
  Object.entries(reasons).flatMap(([reason, names]) =>
    names.map((name) => [
      name,
      goFunction('...any -> any', () => {
        throw new UnsupportedFunctionError(`not supported: ${reason}`);
      }),
    ]),
  ),
);
