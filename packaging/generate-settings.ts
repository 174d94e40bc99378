// `npm run types` runs it: writes the schemas of fleetwright.yaml and of the kinds of our own for editors, its validator, and the page with its keys.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import {
  asJsonSchema,
  parametersSchemaPath,
  parametersSchemas,
} from '../src/compiler/parameters/parameters-schema.ts';
import {
  managerProfileSchema,
  managerProfileSchemaPath,
} from '../src/compiler/render/manager-profiles/manager-profile-schema.ts';
import { promotionKind } from '../src/promotion/decide/promotion.ts';
import { promotionSchema, promotionSchemaPath } from '../src/promotion/decide/promotion-schema.ts';
import { generateSettingsValidator } from '../src/workspace/settings/generate-settings-validator.ts';
import { schemaPath, settingsSchema } from '../src/workspace/settings/settings-schema.ts';
import { settingsTable } from '../src/workspace/settings/settings-table.ts';

const root = path.resolve(import.meta.dirname, '..');
const page = path.join(root, 'docs/settings.md');

await write(path.join(root, schemaPath), JSON.stringify(settingsSchema, withoutOwnKeywords));
for (const [kind, schema] of Object.entries(parametersSchemas))
  await write(path.join(root, parametersSchemaPath(kind)), JSON.stringify(asJsonSchema(kind, schema)));
await write(
  path.join(root, managerProfileSchemaPath),
  JSON.stringify(asJsonSchema('ManagerProfile', managerProfileSchema)),
);
await write(
  path.join(root, promotionSchemaPath),
  JSON.stringify(asJsonSchema(promotionKind, promotionSchema)),
);
writeFileSync(
  path.join(root, 'src/workspace/settings/settings-validator.gen.ts'),
  generateSettingsValidator(),
);
const text = readFileSync(page, 'utf8').replace(
  /(?<=<!-- keys -->\n)[^]*(?=<!-- \/keys -->)/,
  () => `\n${settingsTable()}\n`,
);
await write(page, text);

async function write(file: string, content: string): Promise<void> {
  const options = await resolveConfig(file, { editorconfig: true });
  writeFileSync(file, await format(content, { ...options, filepath: file }));
}

/** Editors do not know the keywords of our messages. */
function withoutOwnKeywords(key: string, value: unknown): unknown {
  return key === 'fault' || key === 'hint' ? undefined : value;
}
