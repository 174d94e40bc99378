import { afterEach, expect, test, vi } from 'vitest';
import { stopSignal } from '../../src/cli/stop-signal.ts';

const signals = ['SIGTERM', 'SIGINT'] as const;
const before = signals.map((signal) => process.listeners(signal));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const [index, signal] of signals.entries())
    for (const listener of process.listeners(signal))
      if (before[index]?.includes(listener) !== true) process.removeListener(signal, listener);
});

function start(within: number) {
  vi.useFakeTimers();
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  return { stop: stopSignal(within), exit };
}

test.each([
  ['SIGTERM', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
  ['SIGINT', 'SIGTERM'],
] as const)('after %s the process stops in order, and after %s at once', (first, second) => {
  const { stop, exit } = start(20_000);
  expect(stop.aborted).toBe(false);
  process.emit(first);
  expect([stop.aborted, exit.mock.calls]).toEqual([true, []]);
  process.emit(second);
  expect(exit.mock.calls).toEqual([[2]]);
});

test('a process that hangs after all is ended', () => {
  const { exit } = start(20_000);
  process.emit('SIGTERM');
  vi.advanceTimersByTime(26_000);
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2000);
  expect(exit).toHaveBeenCalledWith(2);
});
