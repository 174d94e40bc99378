import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { importText } from './imported.ts';

const guide = await readFile(new URL('../../docs/import.md', import.meta.url), 'utf8');
const examples = [...guide.matchAll(/^## (.*?)\n\n```yaml\n(.*?)^```\n\n```ts\n(.*?)^```$/gms)].map(
  ([, title = '', yaml = '', code = '']) => ({ title, yaml, code }),
);

describe('docs/import.md', () => {
  test('has three examples', () => {
    expect(examples.length).toBe(3);
  });

  test.each(examples)('prints the output: $title', ({ yaml, code }) => {
    const { app } = importText(yaml);
    expect(app && [...app.files.keys()]).toEqual(['app.ts']);
    expect(app?.files.get('app.ts')).toBe(code);
  });
});
