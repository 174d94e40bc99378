import type { ChartCase } from './case.ts';
import { chartCase } from './function-cases.ts';

const time = '(toDate "2006-01-02T15:04:05.999Z07:00" "2024-02-29T23:04:05.678+02:00")';
const zero = '(toDate "2006" "no date")';
const passed = `(${time}.Sub (toDate "2006" "2024"))`;

const methods = [
  'Year Month Day Hour Minute Second Nanosecond YearDay Weekday',
  'Unix UnixMilli UnixMicro UnixNano IsZero UTC Local String',
].flatMap((names) => names.split(' '));

const calls = [
  ...methods.flatMap((method) => [`${time}.${method}`, `${zero}.${method}`]),
  `${time}.Format "Jan 2"`,
  `${time}.AddDate 0 1 3`,
  `${time}.AddDate -1 -14 30`,
  `${time}.Add ${passed}`,
  `${time}.Before ${zero}`,
  `${time}.After ${zero}`,
  `${time}.Compare ${zero}`,
  `${time}.Equal ${time}`,
  passed,
  `${time}.Sub ${zero}`,
  ...['Hours', 'Minutes', 'Seconds', 'Milliseconds', 'String', 'Abs'].map((method) => `${passed}.${method}`),
  `${passed}.Round (${passed}.Truncate ${passed})`,
  `${time}.Month.String`,
  `printf "%d %v %s %q %x" ${time}.Month ${time}.Month ${time}.Month ${time}.Month ${time}.Month`,
  `list ${time} ${time}.Month ${passed}`,
  `eq ${time}.Month 2`,
  `lt ${passed} 5`,
  `int64 ${passed}`,
  `float64 ${passed}`,
  `int ${time}.Month`,
  `add ${time}.Month 1`,
  `durationRound ${passed}`,
  `kindOf ${time}`,
  `kindOf ${time}.Month`,
  `typeOf ${passed}`,
  `empty ${time}`,
  `quote ${time} ${time}.Month`,
  `toJson (list ${time} ${time}.Month ${passed})`,
  `toYaml (dict "t" ${time} "d" ${passed})`,
  `toYamlPretty (dict "t" ${time} "d" ${passed} "v" (semver "1.2.3"))`,
  `toToml (dict "t" ${time} "d" ${passed} "v" (semver "1.2.3"))`,
  'fromToml "a = 2024-02-29\nb = 12:00:00.5\nc = 2024-02-29T12:00:00" | toToml',
  'toYamlPretty (fromToml "[[a]]\nb = 1\n[[a]]\nb = 2")',
  'date "2006-01-02 15:04:05" (int64 9223372036854775807)',
  'date "2006-01-02 15:04:05" (int64 -9223372036854775808)',
  'date "06 2006" -99999999999',
];

/** Calls of the methods of times and durations, and of functions that show them. */
export function timeCases(): ChartCase[] {
  return calls.map((call) => chartCase(`{{ $r := ${call} }}{{ printf "%T|%v" $r $r }}`));
}
