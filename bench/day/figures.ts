import { hasOwnSigner } from './add-ons.ts';
import type { DayRecord, Sample } from './day-record.ts';
import type { Plot, PlotLine } from './plot.ts';
import { hours, schedule } from './schedule.ts';

// The tables and plots of the report, from what was measured on one or two days.

/** Returns the tables as Markdown. With a second day, every figure has that of the second day behind it. */
export function tables(days: readonly DayRecord[]): string {
  const [day] = days;
  if (day === undefined) throw new Error('there is no day');
  const each = (figure: (of: DayRecord) => string): string => [...new Set(days.map(figure))].join(' / ');
  const names = ['replica 0', 'replica 1', 'add-on manager', 'hub'];
  const sections: Section[] = [
    [
      'Processes',
      ['process', 'memory, most (MB)', 'memory at the end (MB)', 'processor time (cores, mean)'],
      names.map((name) => [
        name,
        each((of) =>
          megabytes(Math.max(...of.samples.map(({ processes }) => processes[name]?.resident ?? 0))),
        ),
        each((of) => megabytes(of.samples.at(-1)?.processes[name]?.resident ?? 0)),
        each((of) => meanCores(of, name).toFixed(2)),
      ]),
    ],
    [
      'Certificates',
      ['approved by', 'signed by', 'certificates', 'median (ms)', '99 % within (ms)', 'slowest (ms)'],
      certificateGroups.map(({ by, signer, belongs }) => {
        const times = (of: DayRecord): number[] =>
          of.certificates
            .filter(({ addOn, signer: of }) => belongs(addOn, of))
            .map(({ milliseconds }) => milliseconds)
            .sort((a, b) => a - b);
        return [
          by,
          signer,
          each((of) => String(times(of).length)),
          ...[0.5, 0.99, 1].map((share) => each((of) => quantile(times(of), share).toFixed(0))),
        ];
      }),
    ],
    [
      'Reactions',
      ['time', 'event', 'clusters', 'seconds until it is over'],
      day.reactions
        .filter(({ clusters }) => clusters > 0)
        .map(({ hour, event, clusters }) => [
          `${hour}:00`,
          event,
          String(clusters),
          each(
            ({ reactions }) => reactions.find((other) => other.hour === hour)?.seconds.toFixed(1) ?? 'never',
          ),
        ]),
    ],
    [
      'Jobs',
      ['command', 'runs', 'median (s)', 'slowest (s)', 'processor time, most (s)', 'memory, most (MB)'],
      [...new Set(day.runs.map(({ command }) => command))].map((command) => {
        const runs = (of: DayRecord): DayRecord['runs'] => of.runs.filter((run) => run.command === command);
        const seconds = (of: DayRecord): number[] =>
          runs(of)
            .map((run) => run.seconds)
            .sort((a, b) => a - b);
        return [
          `\`${command}\``,
          each((of) => String(runs(of).length)),
          each((of) => quantile(seconds(of), 0.5).toFixed(1)),
          each((of) => quantile(seconds(of), 1).toFixed(1)),
          each((of) => Math.max(...runs(of).map(({ cpuSeconds }) => cpuSeconds)).toFixed(1)),
          each((of) => megabytes(Math.max(...runs(of).map(({ peakMemory }) => peakMemory)))),
        ];
      }),
    ],
    [
      'Requests to the API server',
      ['verb', 'requests', 'a second'],
      requestRows(day).map(([verb]) => [
        `\`${verb}\``,
        each((of) => String(new Map(requestRows(of)).get(verb) ?? 0)),
        each((of) => ((new Map(requestRows(of)).get(verb) ?? 0) / of.seconds).toFixed(1)),
      ]),
    ],
    [
      'Writes of the companion and of the add-on manager',
      ['writer', 'what', 'writes'],
      ['companion', 'add-on manager'].flatMap((writer) =>
        Object.entries(day.writes[writer] ?? {})
          .sort(([, a], [, b]) => b - a)
          .map(([what]) => [writer, `\`${what}\``, each((of) => String(of.writes[writer]?.[what] ?? 0))]),
      ),
    ],
    [
      'Predicted and actual',
      ['time', '`status`'],
      day.statuses.map(({ hour }) => [
        `${hour}:59`,
        each((of) => causesText(of.statuses.find((other) => other.hour === hour)?.causes ?? {})),
      ]),
    ],
    [
      'etcd',
      ['', 'file (MB)'],
      [
        ['at the beginning', each((of) => megabytes(of.samples[0]?.hub.storage ?? 0))],
        ['at the end', each((of) => megabytes(of.samples.at(-1)?.hub.storage ?? 0))],
      ],
    ],
  ];
  const [, other] = days;
  if (other !== undefined) sections.push(agreement(day, other));
  return sections
    .map(([title, head, rows]) => `### ${title}\n\n${table([head, head.map(() => '---'), ...rows])}`)
    .join('\n');
}

/** A title, the head of a table, and its rows. */
type Section = readonly [string, readonly string[], readonly (readonly string[])[]];

/** Returns how far the sums and means of a second day of the same fleet differ from those of the first. */
function agreement(day: DayRecord, other: DayRecord): Section {
  const certificates = (of: DayRecord): number[] =>
    of.certificates.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const requests = (of: DayRecord): number => requestRows(of).reduce((sum, [, count]) => sum + count, 0);
  const writes = (of: DayRecord): number =>
    Object.values(of.writes['companion'] ?? {}).reduce((sum, count) => sum + count, 0);
  const most = (of: DayRecord, name: string): number =>
    Math.max(...of.samples.map(({ processes }) => processes[name]?.resident ?? 0)) / 1e6;
  const replicas = (of: DayRecord): number => meanCores(of, 'replica 0') + meanCores(of, 'replica 1');
  const figures: readonly (readonly [string, (of: DayRecord) => number, number])[] = [
    ['requests to the API server', requests, 0],
    ['writes of the companion', writes, 0],
    ['certificates', (of) => of.certificates.length, 0],
    ['half of the certificates within (ms)', (of) => quantile(certificates(of), 0.5), 0],
    ['processor time of the companion (cores, mean)', replicas, 3],
    ['processor time of the add-on manager (cores, mean)', (of) => meanCores(of, 'add-on manager'), 3],
    ['processor time of the hub (cores, mean)', (of) => meanCores(of, 'hub'), 3],
    ['memory of a replica, most (MB)', (of) => Math.max(most(of, 'replica 0'), most(of, 'replica 1')), 0],
    ['memory of the hub, most (MB)', (of) => most(of, 'hub'), 0],
  ];
  return [
    'The two days',
    ['', 'first', 'second', 'second by first'],
    figures.map(([name, figure, digits]) => [
      name,
      figure(day).toFixed(digits),
      figure(other).toFixed(digits),
      `${(figure(other) / figure(day)).toFixed(2)} ×`,
    ]),
  ];
}

/** Returns the plots of a day by their file names. */
export function plots(day: DayRecord): Readonly<Record<string, Plot>> {
  const marks = Object.fromEntries(Object.entries(schedule).map(([hour, { event }]) => [hour, event]));
  const plot = (title: string, unit: string, lines: readonly PlotLine[]): Plot => ({
    title,
    unit,
    hours,
    marks,
    lines,
  });
  const controllers = ['replica 0', 'replica 1', 'add-on manager'];
  const { samples } = day;
  const verbs = requestRows(day).map(([verb]) => verb);
  return {
    memory: plot(
      'Memory of the controllers',
      'MB',
      controllers.map((name) => ({
        name,
        points: samples.flatMap(({ at, processes }) => {
          const use = processes[name];
          return use === undefined ? [] : [[hourAt(day, at), use.resident / 1e6] as const];
        }),
      })),
    ),
    processors: plot(
      'Processor time',
      'cores',
      [...controllers, 'hub'].map((name) => ({
        name,
        points: rates(day, ({ processes }) => processes[name]?.cpu),
      })),
    ),
    requests: plot(
      'Requests to the API server',
      'a second',
      verbs.slice(0, 5).map((verb) => ({ name: verb, points: rates(day, ({ hub }) => hub.requests[verb]) })),
    ),
    etcd: plot('etcd', 'MB', [
      { name: 'file', points: samples.map(({ at, hub }) => [hourAt(day, at), hub.storage / 1e6] as const) },
    ]),
    certificates: plot(
      'The slowest certificate of each hour',
      'ms',
      certificateGroups.slice(1).map(({ by, belongs }) => ({
        name: by,
        points: Array.from({ length: hours }, (_, hour) => {
          const times = day.certificates
            .filter(({ addOn, signer, at }) => belongs(addOn, signer) && Math.floor(hourAt(day, at)) === hour)
            .map(({ milliseconds }) => milliseconds);
          return [hour + 0.5, Math.max(0, ...times)] as const;
        }),
      })),
    ),
  };
}

interface CertificateGroup {
  readonly by: string;
  readonly signer: string;
  readonly belongs: (addOn: string, signer: string) => boolean;
}

const clientSigner = 'kubernetes.io/kube-apiserver-client';
const certificateGroups: readonly CertificateGroup[] = [
  {
    by: 'companion',
    signer: 'companion',
    belongs: (name, signer) => hasOwnSigner(name) && signer !== clientSigner,
  },
  {
    by: 'companion',
    signer: 'kube-controller-manager',
    belongs: (name, signer) => name.startsWith('compiled') && signer === clientSigner,
  },
  {
    by: 'add-on manager',
    signer: 'kube-controller-manager',
    belongs: (name) => name.startsWith('hub'),
  },
];

/** Returns the hour of a moment, which is in seconds since the beginning of the day: hours are longer if their jobs take longer. */
function hourAt({ hourStarts, seconds }: DayRecord, at: number): number {
  const hour = Math.max(
    0,
    hourStarts.findLastIndex((start) => start <= at),
  );
  const [start = 0, end = seconds] = hourStarts.slice(hour);
  return hour + Math.min(1, (at - start) / (end - start));
}

/** Returns a counter's increase per second, between one sample and the next. */
function rates(
  day: DayRecord,
  counter: (sample: Sample) => number | undefined,
): readonly (readonly [number, number])[] {
  return day.samples.slice(1).flatMap((sample, index) => {
    const before = day.samples[index];
    const [from, to] = [before === undefined ? undefined : counter(before), counter(sample)];
    if (before === undefined || from === undefined || to === undefined || to < from) return [];
    return [[hourAt(day, sample.at), (to - from) / (sample.at - before.at)] as const];
  });
}

function meanCores({ samples, seconds }: DayRecord, name: string): number {
  const used = samples.flatMap(({ processes }) => processes[name]?.cpu ?? []);
  return ((used.at(-1) ?? 0) - (used[0] ?? 0)) / seconds;
}

/** Returns the requests of the day by verb, most first. */
function requestRows({ samples }: DayRecord): readonly (readonly [string, number])[] {
  const [first, last] = [samples[0]?.hub.requests ?? {}, samples.at(-1)?.hub.requests ?? {}];
  return Object.entries(last)
    .map(([verb, count]) => [verb, count - (first[verb] ?? 0)] as const)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a);
}

function causesText(causes: Readonly<Record<string, number>>): string {
  return (
    Object.entries(causes)
      .map(([cause, count]) => `${cause} ${count}`)
      .join(', ') || 'as predicted'
  );
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

function table(rows: readonly (readonly string[])[]): string {
  return `${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
