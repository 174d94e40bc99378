import path from 'node:path';
import { runStatus } from '../../../controller/status/run-status.ts';
import type { StatusSettings } from '../../../controller/status/status-settings.ts';
import { systemClock } from '../../../client/clock.ts';
import { createLog } from '../../../controller/operation/log.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { apiServer } from './api-server.ts';
import { statusProcess } from './status-process.ts';
import { stopSignal } from '../../stop-signal.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';

interface Replica {
  readonly identity: string;
  readonly version: string;
  readonly terminal: Terminal;
}

/** Runs `controller status` until the process receives a stop signal. @throws HubError if no API server is configured. */
export async function startStatus(
  settings: StatusSettings,
  { identity, version, terminal }: Replica,
): Promise<ExitCode> {
  const clock = systemClock;
  const log = createLog({
    level: settings.logLevel,
    fields: { controller: 'status', version },
    destination: { write: (line) => terminal.out(line) },
    now: () => clock.now(),
  });
  // Without Events, only the process that reads connects to the hub. A kubeconfig that is not usable ends this one.
  const { transport } = apiServer(settings, terminal, clock, `fleetwright-status/${version}`);
  if (!settings.events) transport.close();
  const read = statusProcess({
    // The command that runs now, built or from its sources.
    command: [...process.execArgv, process.argv[1] ?? ''],
    parameters: statusParameters(settings, terminal.cwd),
    cwd: path.resolve(terminal.cwd, settings.workspace ?? '.'),
  });
  const hub = settings.events ? { transport } : {};
  await runStatus({ settings, read, ...hub, identity, clock, log }, stopSignal(settings.stopWithin));
  return exitCode.clean;
}

/** Returns the command line of `status` for the settings. */
export function statusParameters(
  { workspace, hub, hubVersion, kubeconfig, context }: StatusSettings,
  cwd: string,
): readonly string[] {
  return [
    'status',
    '--output=json',
    ...(workspace === undefined ? ['--applied'] : []),
    ...(hub === undefined ? [] : [`--hub=${hub}`]),
    ...(hubVersion === undefined ? [] : [`--hub-version=${hubVersion}`]),
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${path.resolve(cwd, kubeconfig)}`]),
    ...(context === undefined ? [] : [`--context=${context}`]),
  ];
}
