// The program of the single file: the command, and the program of the processes that run apps.
import { childParameter } from '../../workspace/app/child-program.ts';
import { main } from '../startup/command-process.ts';
import { start } from '../startup/start.ts';

export { main };

/** Runs the file alone. */
export async function run(): Promise<void> {
  if (process.argv[2] === childParameter) {
    const { serveApps } = await import('../../workspace/app/child/serve-apps.ts');
    await serveApps();
  } else {
    await start(async () => await Promise.resolve({ main }));
  }
}
