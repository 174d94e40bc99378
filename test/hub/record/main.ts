// npm run hub:record -- FOLDER...
//
// Records what a real hub makes of each case: a folder with input.yaml, and update.yaml for a rollout.
import { connect } from '../client/hub.ts';
import { startHub } from '../process/start-hub.ts';
import { recordCase } from './record-case.ts';

const folders = process.argv.slice(2);
if (folders.length === 0) {
  process.stderr.write('usage: npm run hub:record -- FOLDER...\n');
  process.exit(2);
}
// As for the recordings that exist.
const running = await startHub({ admissionWebhooks: false });
const hub = connect(running);
try {
  for (const folder of folders) {
    const settled = await recordCase(hub, folder);
    process.stdout.write(
      `${folder}: ${settled ? 'recorded' : 'recorded, although the hub did not come to rest'}\n`,
    );
  }
} finally {
  hub.close();
  await running.stop();
}
