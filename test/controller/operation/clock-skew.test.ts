import { expect, test } from 'vitest';
import { ClockSkew } from '../../../src/controller/operation/clock-skew.ts';
import { RecordingLog } from '../recording-log.ts';
import { ManualClock } from '../manual-clock.ts';

const minute = 60_000;

function newSkew() {
  const [clock, log, seconds] = [new ManualClock(), new RecordingLog(), new Array<number>()];
  return { clock, log, seconds, skew: new ClockSkew(clock, log, (each) => seconds.push(each)) };
}

test('clocks that differ by seconds are not reported', () => {
  const { log, seconds, skew } = newSkew();
  skew.observe(59_000);
  skew.observe(undefined);
  expect(seconds).toEqual([59]);
  expect(log.lines).toEqual([]);
});

test('a clock that is off is in the log, now and then, and that it is right again', async () => {
  const { clock, log, seconds, skew } = newSkew();
  skew.observe(10 * minute);
  await clock.pass(9 * minute);
  skew.observe(10 * minute);
  expect(log.lines).toEqual([
    'warn the clock of this machine is ahead of that of the API server: it determines the dates of certificates that are signed here {"seconds":600}',
  ]);
  await clock.pass(2 * minute);
  skew.observe(-2 * minute);
  skew.observe(0);
  expect(log.lines.slice(1)).toEqual([
    'warn the clock of this machine is behind that of the API server: it determines the dates of certificates that are signed here {"seconds":-120}',
    'info the clock of this machine is correct again {"seconds":0}',
  ]);
  expect(seconds).toEqual([600, 600, -120, 0]);
});
