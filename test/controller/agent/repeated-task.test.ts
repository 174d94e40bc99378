import { expect, test } from 'vitest';
import { RunningTask } from '../../../src/controller/agent/repeated-task.ts';
import { RecordingLog } from '../recording-log.ts';
import { ManualClock } from '../manual-clock.ts';

test('a task that never returns is reported, and one that fails repeatedly is not', async () => {
  const [clock, log, stop] = [new ManualClock(), new RecordingLog(), new AbortController()];
  let step = async (): Promise<number> => await Promise.reject(new Error('the hub is away'));
  const task = new RunningTask({ name: 'heartbeat', step: async () => await step() }, { clock, log });
  const running = task.run(stop.signal);
  await clock.pass(30 * 60_000);
  expect([task.state, task.liveness]).toEqual(['heartbeat: the hub is away', true]);
  expect(log.lines[0]).toMatch(/^warn failed \{"error":"the hub is away","retryAfterMs":\d+\}$/);
  let end = (): void => undefined;
  step = async () => await new Promise((resolve) => (end = () => resolve(1000)));
  await clock.pass(17 * 60_000);
  expect(task.liveness).toBe('heartbeat has taken 16 min');
  end();
  await clock.pass(1);
  expect([task.state, task.liveness]).toEqual([true, true]);
  stop.abort();
  await running;
});
