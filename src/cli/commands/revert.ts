import path from 'node:path';
import type { CommandModule } from 'yargs';
import { terminalLine } from '../../compiler/report/text/terminal-line.ts';
import { counted } from '../../compiler/model/words.ts';
import { findRepository } from '../../workspace/git.ts';
import { commitPaths, headCommit } from '../../workspace/git-commits.ts';
import { dirtyFiles, restoreHead, revertSources } from '../../workspace/revert/revert-sources.ts';
import { revertedCommits, type RevertedCommit } from '../../workspace/revert/reverted-commits.ts';
import { writing } from '../../workspace/lock/writing.ts';
import { requireChild, requireHead } from '../../workspace/lock/unmoved-head.ts';
import { revertedPromotions } from '../../promotion/git/reverted-promotions.ts';
import { someFiles } from '../../workspace/inputs/some-files.ts';
import { UserError } from '../../workspace/user-error.ts';
import { openWorkspace, type Workspace } from '../../workspace/workspace.ts';
import { examples } from '../examples.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface Arguments {
  readonly revision: string;
  readonly mainline: number | undefined;
  readonly commit: boolean;
}

/**
 * `revert COMMIT`: restores the sources as they were before a commit, and compiles them.
 *
 * @param runCommand - runs another command, as on the command line
 */
export function revertCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
  runCommand: RunCommand,
): CommandModule<object, Arguments> {
  return {
    command: 'revert <revision>',
    describe: 'Revert the sources to what they were before a commit, compile them and commit',
    builder: (command) =>
      command
        .positional('revision', {
          describe: 'commit, or range BASE..HEAD whose commits are reverted',
          type: 'string',
          demandOption: true,
        })
        .option('mainline', {
          alias: 'm',
          describe: 'of a merge: the number of the parent whose state is restored, usually 1',
          type: 'number',
          defaultDescription: 'none',
        })
        .option('commit', {
          describe: 'commit the result; --no-commit leaves it in the working tree',
          type: 'boolean',
          default: true,
        })
        .epilogue(
          examples(terminal, {
            'fleetwright revert HEAD': 'the last commit',
            'fleetwright revert 3f2a1bc --mainline 1': 'a merged pull request',
            'fleetwright revert v1.4..HEAD --no-commit': 'everything since a tag, to edit it further',
          }),
        ),
    handler: async (options) => {
      end(await revert(options, terminal, runCommand));
    },
  };
}

type RunCommand = (words: readonly string[]) => Promise<ExitCode>;

async function revert(options: Arguments, terminal: Terminal, runCommand: RunCommand): Promise<ExitCode> {
  const workspace = await openWorkspace(terminal);
  // Another run must neither see the half-reverted sources nor write into the commit.
  return await writing(
    workspace.settings.out,
    'revert',
    workspace.host,
    async () => await revertIn(workspace, options, runCommand),
  );
}

async function revertIn(
  { root, settings, host: terminal }: Workspace<Terminal>,
  { revision, mainline, commit }: Arguments,
  runCommand: RunCommand,
): Promise<ExitCode> {
  const repository = await findRepository(root);
  const head = await headCommit(root);
  const dirty = await dirtyFiles(repository.root);
  if (dirty.length > 0)
    throw new UserError(
      `the working tree has changes that are not committed: ${someFiles(dirty)}`,
      'commit or stash them first: git stash --include-untracked',
    );
  const commits = await revertedCommits(repository, revision, mainline);
  const inRepository = (name: string): string => path.posix.join(repository.prefix, name);
  const workspace = repository.prefix.replace(/\/$/, '');
  const { files, outside } = await revertSources(repository, commits, {
    workspace,
    outputs: [settings.out, ...settings.hubs.map((hub) => hub.out)].map(inRepository),
    promotions: revertedPromotions(inRepository('promotions')),
  });
  const what = commits.length === 1 ? '1 commit' : `${commits.length} commits`;
  terminal.out(
    `${terminalLine(`reverted ${what} in ${counted(files.length, 'file')}: ${someFiles(files)}`)}\n`,
  );
  if (outside > 0)
    terminal.err(
      `${counted(outside, 'file')} outside of the workspace ${outside === 1 ? 'is' : 'are'} not reverted\n`,
    );
  const compiled = await runCommand(['synth']);
  if (compiled !== exitCode.clean) {
    await restoreHead(repository.root);
    terminal.err('nothing was reverted: the sources from before do not compile\n');
    return compiled;
  }
  terminal.out('\n');
  const planned = await runCommand(['plan', 'HEAD']);
  terminal.out('\n');
  if (!commit) {
    terminal.out('Next: review the changes with git diff HEAD, and commit them with dist/\n');
    return planned;
  }
  try {
    await requireHead(root, head, 'revert');
    await commitPaths(root, ['.'], messageOf(commits, revision));
    await requireChild(root, head, 'revert');
  } catch (error) {
    await restoreHead(repository.root);
    throw error;
  }
  const reverted = await headCommit(root);
  terminal.out(
    `commit ${reverted.slice(0, 12)} on top of ${head.slice(0, 12)}\nNext: review it with git show, and push it as a pull request\n`,
  );
  return planned;
}

/** Returns the message of the commit, as Git writes it. */
function messageOf(commits: readonly RevertedCommit[], revision: string): string {
  const [only] = commits;
  const again = /^Revert "(.*)"$/.exec(only?.subject ?? '')?.[1];
  const subject = again === undefined ? `Revert "${only?.subject ?? ''}"` : `Reapply "${again}"`;
  const lines = commits.map(({ commit, parent, mainline }) =>
    mainline === undefined
      ? `This reverts commit ${commit}.`
      : `This reverts commit ${commit}, reversing\nchanges made to ${parent}.`,
  );
  return `${commits.length === 1 ? subject : `Revert ${revision}`}\n\n${lines.join('\n')}\n\nThe output is compiled from the reverted sources.\n`;
}
