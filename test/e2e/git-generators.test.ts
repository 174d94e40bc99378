import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applicationSet, template } from '../compiler/application-sets/generated.ts';
import { fleetOf } from '../resolve-text.ts';
import { GitRepository } from './repository.ts';

let repository: GitRepository;
const repoURL = 'https://git.example.com/team/shop';

const shop = applicationSet(
  {
    generators: [{ git: { repoURL, revision: 'main', files: [{ path: 'clusters/*.yaml' }] } }],
    template: { ...template('shop-{{name}}') },
  },
  'shop',
);

beforeAll(() => {
  repository = new GitRepository();
  execFileSync('git', ['remote', 'add', 'origin', 'git@git.example.com:team/shop.git'], {
    cwd: repository.root,
  });
  repository.commit('start', {
    'apps/shop/set.json': shop,
    'apps/shop/fleet.yaml': fleetOf({ c1: {}, c2: {}, c3: {} }),
    'clusters/c1.yaml': 'name: c1\n',
    'clusters/c2.yaml': 'name: c2\n',
  });
  repository.branch('change', 'main');
  repository.commit('move', { 'clusters/c2.yaml': undefined, 'clusters/c3.yaml': 'name: c3\n' });
});

afterAll(() => {
  repository.remove();
});

describe('a git generator over files of the same repository', () => {
  test('is planned by the files of both revisions', async () => {
    const { out } = await repository.fleetwright(['plan', 'main..change']);
    expect(out.replace(/hash: .*/, 'hash: …')).toMatchInlineSnapshot(`
      "ApplicationSet argocd/shop (app shop)
        UNINSTALLED from 1 cluster: c2
          because its git generator reads other files, or other content
          1 Application DELETED with what it deployed: shop-c2
        installed on 1 cluster: c3
          because its git generator reads other files, or other content
          1 Application created: shop-c3

      reach
        cluster set default: 2 of 3 clusters (1 uninstalled, 1 installed)
        cluster set global: 2 of 3 clusters (1 uninstalled, 1 installed)

      plan: 1 uninstalled, 1 installed, 1 unchanged; 1 Application created, 1 DELETED with what it deployed; 2 of 3 clusters reached
      hash: …
      "
    `);
  });

  test('reads the working tree, with files that Git does not have yet', async () => {
    writeFileSync(path.join(repository.root, 'clusters/new.yaml'), 'name: c2\n');
    const { out } = await repository.fleetwright(['explain', 'c2']);
    expect(out).toContain('shop-c2');
  });

  test('follows no link out of the repository', async () => {
    writeFileSync(path.join(repository.temporary, 'secret.yaml'), 'name: secret\n');
    symlinkSync(
      path.join(repository.temporary, 'secret.yaml'),
      path.join(repository.root, 'clusters/link.yaml'),
    );
    repository.commit('link', {});
    const { out, err } = await repository.fleetwright(['validate', 'apps/shop']);
    expect(out + err).toContain('the file clusters/link.yaml, which cannot be read, is not evaluated');
    expect(out + err).not.toContain('secret');
  });
});
