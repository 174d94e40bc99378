import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, runIn } from '../cli/terminal.ts';
import { linkDependencies, root, runProgram } from '../linked-repository.ts';

const page = readFileSync(path.join(root, 'docs/gitops.md'), 'utf8');
const [, section = ''] = page.split('\n## Applications and Kustomizations as constructs\n');
const [argoCd = '', flux = ''] = [...section.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);

test('the objects of the page about GitOps compile as one app, for Argo CD and Flux in the same chart', async () => {
  const app = argoCd
    .replace("} from 'fleetwright'", ", FluxGitRepository, FluxKustomizations } from 'fleetwright'")
    .replace('export default app;', `${flux}\nexport default app;`);
  expect(app).toContain('new FluxKustomizations(');
  const folder = await folderWith({
    'apps/gitops/app.ts': app,
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        module: 'nodenext',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        types: [],
      },
      include: ['apps'],
    }),
  });
  linkDependencies(folder);
  expect(runProgram(folder, path.join(folder, 'node_modules/.bin/tsc'), [])).toMatchObject({ code: 0 });
  const { code, err } = await runIn(folder, ['synth']);
  expect(err).not.toContain('error');
  expect(code).toBe(0);
});
