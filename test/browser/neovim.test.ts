import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folderWith } from '../cli/terminal.ts';

const root = path.resolve(import.meta.dirname, '../..');
const tsx = pathToFileURL(path.join(root, 'node_modules/tsx/dist/loader.mjs')).href;
const command = [process.execPath, '--import', tsx, path.join(root, 'src/cli/startup/main.ts'), 'lsp'];

/** What Neovim does: it opens a file with a typo, waits for the finding, asks about a place, and applies the fix. */
const script = `
local function wait_for(what, condition)
  if not vim.wait(120000, condition, 100) then error('waited in vain for ' .. what) end
end
vim.cmd('edit apps/agent/objects.yaml')
local client = vim.lsp.start_client({ name = 'fleetwright', cmd = vim.json.decode(os.getenv('SERVER')), root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, client)
local function errors() return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) end
wait_for('a finding', function() return #errors() > 0 end)
local result = { message = errors()[1].message, line = errors()[1].lnum + 1 }
local function ask(method, params)
  local answers = assert(vim.lsp.buf_request_sync(0, method, params, 120000))
  return answers[client].result
end
local document = vim.lsp.util.make_text_document_params()
local start = { line = errors()[1].lnum, character = 0 }
local actions = ask('textDocument/codeAction', {
  textDocument = document,
  range = { start = start, ['end'] = start },
  context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(0, errors()[1].lnum) },
})
result.action = actions[1].title
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
wait_for('no error', function() return #errors() == 0 end)
result.lenses = vim.tbl_map(function(lens) return lens.command.title end, ask('textDocument/codeLens', { textDocument = document }))
result.hover = ask('textDocument/hover', { textDocument = document, position = start }).contents.value
vim.cmd('write')
vim.fn.writefile({ vim.json.encode(result) }, 'result.json')
vim.lsp.stop_client(client)
vim.cmd('quitall!')
`;

test('Neovim shows a typo while it is open, and applies the fix', { timeout: 240_000 }, async () => {
  const folder = await folderWith({
    'fleetwright.yaml': '{}\n',
    'fleet.yaml': `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: c1 }
spec: { hubAcceptsClient: true }
status: { conditions: [{ type: ManagedClusterConditionAvailable, status: "True", reason: A, message: a, lastTransitionTime: "2026-01-01T00:00:00Z" }] }
`,
    'apps/agent/objects.yaml': `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: agents }
spec: { clusterSet: global }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: production, namespace: agents }
spec: {}
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: agent }
spec:
  installStrategy:
    type: Placements
    placements:
      - name: prodution
        namespace: agents
`,
    'script.lua': script,
  });
  await mkdir(path.join(folder, 'home'));
  await promisify(execFile)('nvim', ['--headless', '--clean', '-c', 'luafile script.lua', '-c', 'cquit'], {
    cwd: folder,
    timeout: 200_000,
    env: { ...process.env, HOME: path.join(folder, 'home'), SERVER: JSON.stringify(command) },
  }).catch(async (error: unknown) => {
    throw new Error(`Neovim failed: ${String((error as { stderr?: string }).stderr ?? error)}`);
  });
  const result = JSON.parse(await readFile(path.join(folder, 'result.json'), 'utf8')) as {
    readonly message: string;
    readonly line: number;
    readonly action: string;
    readonly lenses: readonly string[];
    readonly hover: string;
  };
  expect(result).toEqual({
    message: expect.stringMatching(
      /^Placement "agents\/prodution" does not exist: .*\ndid you mean "agents\/production"\?/,
    ) as unknown,
    line: 18,
    action: 'Replace prodution with production',
    lenses: ['selects 1 of 1 cluster', 'installed on 1 cluster'],
    hover: 'installed on 1 cluster (c1)',
  });
  expect(await readFile(path.join(folder, 'apps/agent/objects.yaml'), 'utf8')).toContain(
    '- name: production\n',
  );
});
