import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const page = 'https://github.com/fleetwright/fleetwright/blob/main/docs/install-controller.md';

/** The most files that are searched. */
const mostFiles = 2_000;

/**
 * Returns the step that installs the companion, without which no add-on with compiled delivery has a status. Empty if an app of the
 * workspace installs it.
 */
export async function companionStep(root: string): Promise<readonly string[]> {
  const step = `install the companion on the hub, once: ${page}`;
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((each) => each.isDirectory() && !/^(?:\.|node_modules$)/.test(each.name));
  let count = 0;
  for (const folder of folders) {
    const files = await readdir(path.join(root, folder.name), { recursive: true }).catch(() => []);
    for (const file of files) {
      if (!/(?:^|\/)app\.[jt]s$/.test(file) || file.includes('node_modules')) continue;
      count += 1;
      if (count > mostFiles) return [step];
      const text = await readFile(path.join(root, folder.name, file), 'utf8').catch(() => '');
      if (text.includes('new CompanionController(')) return [];
    }
  }
  return [step];
}
