import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Puts the temporary folders of all tests into one, and removes it in the end: a run makes more than a thousand. */
export default function setup(): () => void {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-tests-')));
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
