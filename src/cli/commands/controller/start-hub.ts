import { systemClock } from '../../../client/clock.ts';
import { runHub } from '../../../controller/hub/run-hub.ts';
import type { HubSettings } from '../../../controller/hub/hub-settings.ts';
import { createLog } from '../../../controller/operation/log.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { apiServer } from './api-server.ts';
import { keepHeapSmall } from './small-heap.ts';
import { stopSignal } from '../../stop-signal.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';

interface Replica {
  readonly identity: string;
  readonly version: string;
  readonly terminal: Terminal;
}

/** Runs `controller hub` until the process receives a stop signal. @throws HubError if no API server is configured. */
export async function startHub(
  settings: HubSettings,
  { identity, version, terminal }: Replica,
): Promise<ExitCode> {
  keepHeapSmall();
  const clock = systemClock;
  const log = createLog({
    level: settings.logLevel,
    fields: { controller: 'hub', version },
    destination: { write: (line) => terminal.out(line) },
    now: () => clock.now(),
  });
  const target = apiServer(settings, terminal, clock, `fleetwright-controller/${version}`);
  const namespace = target.namespace ?? 'open-cluster-management-hub';
  const signal = stopSignal(settings.stopWithin);
  await runHub({ settings, transport: target.transport, namespace, identity, clock, log }, signal);
  return exitCode.clean;
}
