import { expect, test } from 'vitest';
import { playDays } from '../../bench/day/day.ts';
import type { DayRecord } from '../../bench/day/day-record.ts';
import { plots, tables } from '../../bench/day/figures.ts';
import { svg } from '../../bench/day/plot.ts';
import { hours } from '../../bench/day/schedule.ts';

// The day of docs/scale.md, shorter and with fewer clusters. `bench/day/main.ts` plays the whole.

const clusters = Number(process.env['DAY_CLUSTERS'] ?? 40);
const minutes = Number(process.env['DAY_MINUTES'] ?? 2);

test(
  `${clusters} clusters have what is predicted in each hour of a day, and no certificate is missing`,
  { timeout: minutes * 180_000 + 900_000 },
  async () => {
    const options = { clusters, addOns: 10, hourSeconds: (minutes * 60) / hours, seed: 1, renewed: 1 };
    const days = playDays(options, 1, (line) => process.stderr.write(`${line}\n`));
    const played: DayRecord[] = [];
    for await (const record of days) played.push(record);
    const [day] = played;
    if (day === undefined) throw new Error('no day was played');
    expect(day.faults).toEqual([]);
    expect(day.statuses.at(-1)?.causes).toEqual({});
    // Each is renewed once, and those of clusters that join are new.
    expect(day.certificates.length).toBeGreaterThan(clusters * 9);
    expect(day.reactions.map(({ event }) => event)).toContain('a promotion');
    expect(
      Math.max(...day.samples.map(({ processes }) => processes['replica 0']?.resident ?? 0)),
    ).toBeLessThan(256e6);
    expect(tables([day])).toContain('add-on manager');
    for (const plot of Object.values(plots(day))) expect(svg(plot)).not.toContain('NaN');
  },
);
