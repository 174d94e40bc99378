import { customCertificates } from './custom-certificates.ts';
import type { Random } from './random.ts';

const texts = (items: readonly string[]): string[] => items.map((item) => JSON.stringify(item));

const layouts = texts([
  '2006-01-02',
  '2006-01-02T15:04:05Z07:00',
  '2006-01-02T15:04:05.999999999Z07:00',
  'Mon Jan _2 15:04:05 2006',
  'Mon, 02 Jan 2006 15:04:05 -0700',
  'Monday, 02-Jan-06 15:04:05 MST',
  '02 Jan 06 15:04 MST',
  '3:04PM',
  '03:04:05 pm .000',
  '15h04m05s,000000 002 __2',
  '1/2/06 4:5',
  'January 2, 2006',
  'Janet Monitor _2006 20060102150405',
  'Z070000 Z07 -07 -0700 -07:00:00 Z0700',
  '05.00 05.999 5,9',
  'no elements',
  '',
  '2006-002',
  '2 1 06',
]);
const dateTexts = texts([
  '2024-02-29',
  '2023-02-29',
  '2024-13-01',
  '2024-02-29T12:34:56Z',
  '2024-02-29T12:34:56.789+02:00',
  '2024-02-29T23:59:60Z',
  'Thu Feb 29 12:34:56 2024',
  'Thu, 29 Feb 2024 12:34:56 -0730',
  'Thursday, 29-Feb-68 12:34:56 CET',
  '29 Feb 69 12:34 GMT+3',
  '29 Feb 24 12:34 UTC',
  '29 Feb 24 12:34 WXYZ',
  '12:04AM',
  '12:04PM',
  '01:04:05 pm .250',
  '2/30/24 4:5',
  'February 29, 2024',
  'february  1, 0001',
  '2024-060',
  '2023-366',
  '20240229123456',
  'no elements',
  '',
  '05.12 05.5 5,5',
  '1 2 24',
]);
const zones = texts([
  'UTC',
  '',
  'Local',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Etc/GMT+5',
  'Nowhere/City',
  'europe/berlin',
  '../etc/passwd',
  'US/Pacific',
  'Asia/Kathmandu',
]);
const seconds = ['0', '1709210096', '1', '86400', '1893456000', '1616893200', '1635642000', '978307200'];
const times = [
  ...seconds.map((each) => `(int64 ${each})`),
  '(int 1709210096)',
  '(int64 -62135596800)',
  '(int64 -1)',
  '(toDate "2006-01-02" "2024-02-29")',
  '(toDate "2006-01-02T15:04:05Z07:00" "2024-12-31T23:59:59-05:30")',
  '(toDate "2006-01-02T15:04:05.999Z07:00" "1969-12-31T23:59:59.5Z")',
  '(toDate "02 Jan 06 15:04 MST" "29 Feb 24 12:34 CET")',
  '(toDate "2006-01-02" "nonsense")',
];
const dateValues = times.filter((each) => each.startsWith('(toDate'));
const durations = [
  ...texts([
    '1h',
    '-1.5h',
    '90m30s',
    '100ms',
    '2h45m0.5s',
    '0',
    '1d',
    '',
    '-',
    '720h',
    '8760h1ns',
    '9223372036s',
    '99999999999h',
    '1us',
    '3x',
  ]),
];
const urls = texts([
  'http://user:p%40ss@example.com:8080/a/b%20c;d?x=1&y=a b#frag%20ment',
  'https://example.com',
  'https://example.com/',
  '//host/path',
  '///path',
  'mailto:someone@example.com',
  '/relative/path?query#',
  'a:b:c',
  '1a:b',
  ':missing',
  'http://[::1]:80/',
  'http://[fe80::1%25en0]/x',
  'http://[::1/',
  'http://[1.2.3.4]/',
  'http://a:b:c/',
  'postgres://a:1,b:2/db',
  'http://host:port/',
  'http://exa mple.com/',
  'http://h%41st/',
  'http://h%C3%A4st/\u00e4?\u00e4#\u00e4',
  'http://host/%zz',
  'http://host/%',
  'http://us er@host',
  'http://a@b@host/',
  'http://:pw@host/',
  'line\nbreak',
  '*',
  '',
  '?only',
  '#only',
  'http:opaque?x',
  'HTTP://HOST/PATH',
  './a:b',
  'oci://registry.example/charts/app:1.2.3',
]);
const urlParts: Readonly<Record<string, readonly string[]>> = {
  scheme: ['http', 'https', '', 'a b'],
  host: ['example.com', 'example.com:80', '[::1]', '', 'h\u00e4st <x>'],
  path: ['/a/b', 'a b/c', 'x:y', '', '*', '/100%', '//x', '/\u00e4'],
  query: ['a=b', '', 'a b'],
  opaque: ['', '', '', 'opaque'],
  fragment: ['', 'f', 'a b!()*'],
  userinfo: ['', 'user', 'user:pa:ss', 'us er', 'u%40:p', '%zz', 'a/b'],
};

function urlDict(random: Random): string {
  if (random.chance(0.2)) return `(urlParse ${random.pick(urls)})`;
  const entries = Object.entries(urlParts)
    .filter(() => random.chance(0.6))
    .map(
      ([name, values]) =>
        `${JSON.stringify(name)} ${random.chance(0.03) ? random.pick(['1', 'nil', '(list)']) : JSON.stringify(random.pick(values))}`,
    );
  return `(dict ${entries.join(' ')})`;
}

const tomlTexts = [
  'true',
  '1',
  '-2',
  '2.5',
  '1e21',
  '"x"',
  '"a\\"b\\\\\\n\\u0001\\u007f"',
  '"h\u00e9"',
  '(int64 5)',
];

function tomlValue(random: Random, depth: number): string {
  const kind = depth === 0 ? 0 : random.below(6);
  if (kind === 0 || kind === 1) return random.chance(0.04) ? 'nil' : random.pick([...tomlTexts, ...times]);
  if (kind === 2) return `(list ${random.some(3, () => tomlValue(random, depth - 1)).join(' ')})`;
  if (kind === 3) return `(list ${random.some(3, () => tomlDict(random, depth - 1)).join(' ')})`;
  return tomlDict(random, depth - 1);
}

function tomlDict(random: Random, depth: number): string {
  const key = (): string =>
    random.pick(['"a"', '"b"', '"c d"', '""', '"k.e"', '"\u00e9"', '"x-1"', '"q\\"q"']);
  return `(dict ${random.some(4, () => `${key()} ${tomlValue(random, Math.max(0, depth))}`).join(' ')})`;
}

type Choice = readonly string[] | ((random: Random) => string);

/** What the arguments of a function are chosen from, in order; the last one is for all further arguments. */
const choices: readonly (readonly [RegExp, readonly Choice[]])[] = [
  [/^(?:date|date_in_zone|dateInZone)$/, [layouts, times, zones]],
  [/^htmlDate/, [times, zones]],
  [/^(?:must_?)?date_?modify$/i, [durations, dateValues]],
  [/^(?:mustT|t)oDate$/, [layouts, dateTexts]],
  [/^unixEpoch$/, [dateValues]],
  [/^duration$/, [[...texts(['0', '95', '-3600', '+7', 'x', '9223372036854775808']), ...times]]],
  [
    /^durationRound$/,
    [
      [
        ...durations,
        '(int64 1)',
        '(int64 90000000000)',
        '(int64 -3600000000001)',
        '(int64 31536000000000001)',
        '7',
      ],
    ],
  ],
  [/^urlParse$/, [urls]],
  [/^urlJoin$/, [urlDict]],
  [/^toToml$/, [(random) => (random.chance(0.9) ? tomlDict(random, 3) : tomlValue(random, 2))]],
  [/^buildCustomCert$/, [texts(customCertificates.certs), texts(customCertificates.keys)]],
];

/** Returns an argument that means something to a function; undefined for functions that take any. */
export function specialArgument(name: string, at: number, random: Random): string | undefined {
  const found = choices.find(([names]) => names.test(name))?.[1];
  const choice = found?.[Math.min(at, found.length - 1)];
  if (choice === undefined) return undefined;
  return typeof choice === 'function' ? choice(random) : random.pick(choice);
}
