// npm run hub:compare -- FOLDER [--release 1.4] [--random 1000] [--seed 1] [--parallel 4] [--only FAMILY]… [--log FILE]
//
// Builds the hub with a source tree of OCM, plays all recorded cases and random ones on it, and prints what it answers
// otherwise than predicted.
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { hubVersionNames } from '../../../src/ocm/hub-version.ts';
import { connect } from '../client/hub.ts';
import { families, type Family } from '../differential/families.ts';
import { startHub } from '../process/start-hub.ts';
import { casesOf, play } from './play.ts';
import { printRow, printTable } from './table.ts';
import { buildWithTree, nearestRelease, NoTree, releaseOfTree } from './tree.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    release: { type: 'string' },
    random: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '4' },
    only: { type: 'string', multiple: true },
    log: { type: 'string' },
  },
});
const [tree, ...others] = positionals;
const [random, seed, parallel] = [values.random, values.seed, values.parallel].map(Number) as [
  number,
  number,
  number,
];
const known = Object.keys(families) as Family[];
const chosen = known.filter((family) => values.only?.includes(family) ?? true);
if (
  tree === undefined ||
  others.length > 0 ||
  chosen.length !== (values.only ?? known).length ||
  (values.release !== undefined && !hubVersionNames.some((name) => name === values.release)) ||
  ![random, seed, parallel].every((value) => Number.isInteger(value) && value >= 0) ||
  parallel === 0
) {
  process.stderr.write(
    `usage: npm run hub:compare -- FOLDER [--release ${hubVersionNames.join('|')}] [--random N] [--seed N] [--parallel N] [--only ${known.join('|')}]… [--log FILE]\n`,
  );
  process.exit(2);
}

try {
  process.exitCode = await compare(tree);
} catch (error) {
  if (!(error instanceof NoTree)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function compare(folder: string): Promise<number> {
  const release = hubVersionNames.find((name) => name === values.release) ?? nearestRelease(folder);
  process.stderr.write(`Building the hub with ${folder}, which is compared with OCM ${release}\n`);
  const built = buildWithTree(folder, release);
  try {
    const running = await startHub({
      program: built.program,
      // As the hub of the recordings.
      admissionWebhooks: false,
      ...(values.log === undefined ? {} : { log: values.log }),
    });
    const hub = connect(running);
    try {
      const cases = casesOf(chosen, { random, seed });
      const result = await play(hub, cases, {
        version: releaseOfTree(folder, release),
        parallel,
        onRow: (row) => process.stderr.write(`${printRow(row)}\n`),
        onProgress: (done) => {
          if (done % 50 === 0) process.stderr.write(`${done} of ${cases.length} cases\n`);
        },
      });
      process.stdout.write(printTable(result, { release, versions: hub.versions }));
      return result.rows.some(({ kind }) => kind !== 'chance') ? 1 : 0;
    } finally {
      hub.close();
      await running.stop();
    }
  } finally {
    rmSync(built.folder, { recursive: true });
  }
}
