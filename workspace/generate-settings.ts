// `npm run types` runs it: writes the schema of fleetwright.yaml for editors, and the page with its keys.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'prettier';
import { schemaPath, settingsSchema } from './settings-schema.ts';
import { settingsTable } from './settings-table.ts';

const root = path.resolve(import.meta.dirname, '..');
const page = path.join(root, 'docs/settings.md');

writeFileSync(
  path.join(root, schemaPath),
  await format(JSON.stringify(settingsSchema, withoutOwnKeywords), { parser: 'json', printWidth: 120 }),
);
const text = readFileSync(page, 'utf8').replace(
  /(?<=<!-- keys -->\n)[^]*(?=<!-- \/keys -->)/,
  () => `\n${settingsTable()}\n`,
);
writeFileSync(page, await format(text, { parser: 'markdown', printWidth: 140 }));

/** Editors do not know the keywords of our messages. */
function withoutOwnKeywords(key: string, value: unknown): unknown {
  return key === 'fault' || key === 'hint' ? undefined : value;
}
