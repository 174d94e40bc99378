// The program of the single file: the command, and the program of the processes that run apps.
import { childParameter } from '../../workspace/app/child-program.ts';
import { start } from '../startup/start.ts';

/** Runs the command line of this process, and ends the process. */
export async function main(): Promise<void> {
  // yargs reads the working folder as soon as it is loaded, so `start` looks at it before.
  const { main: runCommand } = await import('../startup/command-process.ts');
  await runCommand();
}

/** Runs the file alone. */
export async function run(): Promise<void> {
  if (process.argv[2] === childParameter) {
    const { serveApps } = await import('../../workspace/app/child/serve-apps.ts');
    await serveApps();
  } else {
    await start(async () => await Promise.resolve({ main }));
  }
}
