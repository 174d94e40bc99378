import { readFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { generateSettingsValidator } from '../../src/workspace/settings/generate-settings-validator.ts';
import { schemaPath, settingsSchema } from '../../src/workspace/settings/settings-schema.ts';
import { settingsTable } from '../../src/workspace/settings/settings-table.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

test('the published schema is that of the commands, without keywords of our own', () => {
  const standard: unknown = JSON.parse(
    JSON.stringify(settingsSchema, (key, value: unknown) =>
      key === 'fault' || key === 'hint' ? undefined : value,
    ),
  );
  expect(JSON.parse(read(schemaPath))).toEqual(standard);
});

test('the reference page has every key', async () => {
  const table = await format(settingsTable(), { parser: 'markdown', printWidth: 140 });
  expect(read('docs/settings.md')).toContain(table.trim());
});

test('the validator is that of the schema: `npm run types` writes it', () => {
  expect(read('src/workspace/settings/settings-validator.gen.ts')).toBe(generateSettingsValidator());
});
