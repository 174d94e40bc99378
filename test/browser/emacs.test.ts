import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { file, smallWorkspace } from '../cli/editor/small-workspace.ts';

const root = path.resolve(import.meta.dirname, '../..');
const tsx = pathToFileURL(path.join(root, 'node_modules/tsx/dist/loader.mjs')).href;

/** What Emacs does after the configuration of the guide: it opens a file, types, waits for the finding, asks about a place, and applies the fix. */
const script = `
(setq eglot-sync-connect t eglot-connect-timeout 120)
(find-file "${file}")
(yaml-mode)
(apply #'eglot (eglot--guess-contact))
(defun ask (method parameters)
  (jsonrpc-request (eglot--current-server-or-lose) method parameters :timeout 120))
(defun messages ()
  (seq-filter (lambda (each) (string-search "FW7003" each)) (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))
(defun wait-until (condition)
  (let ((left 1200))
    (while (not (funcall condition))
      (when (zerop (setq left (1- left))) (error "waited in vain; the findings are %S" (messages)))
      (accept-process-output nil 0.1))))
(re-search-forward "placements: .{ name: prod")
(let ((hover (ask :textDocument/hover (eglot--TextDocumentPositionParams))))
  (delete-region (point) (+ (point) 1))
  (eglot--signal-textDocument/didChange)
  (wait-until #'messages)
  (let* ((messages (messages))
         (action (car (eglot-code-actions (line-beginning-position) (line-end-position)))))
    (eglot--apply-workspace-edit (plist-get action :edit))
    (eglot--signal-textDocument/didChange)
    (wait-until (lambda () (null (messages))))
    (save-buffer)
    (princ (json-serialize (list :hover (plist-get (plist-get hover :contents) :value)
                                 :messages (vconcat messages)
                                 :action (plist-get action :title))))))
`;

test(
  'Emacs with the configuration of the guide shows a typo, and applies the fix',
  { timeout: 240_000 },
  async () => {
    const guide = await readFile(path.join(root, 'docs/editor.md'), 'utf8');
    const [, configuration = ''] = /^```elisp\n(.+?)^```$/ms.exec(guide) ?? [];
    const program = [process.execPath, '--import', tsx, path.join(root, 'src/cli/startup/main.ts')];
    const installed = 'node_modules/.bin/fleetwright';
    const folder = await smallWorkspace({
      [installed]: `#!/bin/sh\nexec '${program.join("' '")}' "$@"\n`,
      'script.el': `(package-initialize)\n(require 'yaml-mode)\n(require 'eglot)\n${configuration}${script}`,
    });
    await chmod(path.join(folder, installed), 0o755);
    await mkdir(path.join(folder, 'home'));
    await promisify(execFile)('git', ['init', '--quiet'], { cwd: folder });
    const { stdout } = await promisify(execFile)('emacs', ['--batch', '--load', 'script.el'], {
      cwd: folder,
      timeout: 200_000,
      env: { ...process.env, HOME: path.join(folder, 'home') },
    }).catch((error: unknown) => {
      throw new Error(`Emacs failed: ${String((error as { stderr?: string }).stderr ?? error)}`);
    });
    expect(JSON.parse(stdout)).toEqual({
      hover: 'Placement agent/production\nselects 2 of 3 clusters (prod-1, prod-2)\ninstalls agent',
      messages: [
        expect.stringMatching(
          /^fleetwright \[FW7003\]: Placement "agent\/prodction" does not exist: .*\ndid you mean "agent\/production"\?/,
        ),
      ],
      action: 'Replace prodction with production',
    });
    expect(await readFile(path.join(folder, file), 'utf8')).toContain(
      '{ name: production, namespace: agent }]',
    );
  },
);
