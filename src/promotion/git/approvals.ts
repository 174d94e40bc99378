import path from 'node:path';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { approvedLines } from '../decide/approved-lines.ts';
import type { Approvers, Promotion } from '../decide/promotion.ts';
import type { Approval } from '../decide/step-gates.ts';
import { DiagnosedError } from '../../workspace/diagnosed-error.ts';
import { git } from '../../workspace/git.ts';
import { committedText } from './promotion-history.ts';
import { endsOfRelease, isAncestor } from './release-ends.ts';

/**
 * Returns whether each entry of `spec.approved` counts that names one of these releases. An approval counts once, for the release
 * that follows it: if a release of this hash has ended since the commit that wrote the line last, it is used up. With `approvers`,
 * the author of this commit must be one of them. Undefined if every approval counts.
 *
 * @throws DiagnosedError if the clone is shallow, and an entry names one of the releases
 * @param releases - the hashes of the releases
 * @param root - the workspace
 * @param file - the promotion file, relative to the workspace
 */
export async function readApprovals(
  { spec }: Promotion,
  releases: readonly string[],
  root: string,
  file: string,
): Promise<ReadonlyMap<string, Approval> | undefined> {
  const { approvers } = spec;
  // The file may keep the approvals of all earlier releases.
  const approved = (spec.approved ?? []).filter((entry) => releases.some((hash) => entry.startsWith(hash)));
  if (approved.length === 0) return approvers === undefined ? undefined : new Map();
  // The oldest commit of a shallow clone seems to have written everything.
  const isShallow = await git(root, ['rev-parse', '--is-shallow-repository']);
  if (isShallow.trim() !== 'false')
    throw new DiagnosedError(
      diagnostic('FW9132', {
        message: `this clone is shallow, so it is unknown who approved a release in ${file}, and whether the approval is used up`,
        hint: 'fetch the history: git fetch --unshallow; in CI, fetch-depth: 0 on GitHub and GIT_DEPTH: 0 on GitLab',
      }),
    );
  const ends = new Map<string, readonly string[]>();
  for (const hash of releases) ends.set(hash, await endsOfRelease(root, file, hash));
  const hasEnded = [...ends.values()].some((commits) => commits.length > 0);
  if (approvers === undefined && !hasEnded) return undefined;
  const lines = approvedLines((await committedText(path.join(root, file))) ?? '');
  const writers = await writersOf(root, file, Math.max(0, ...[...lines.values()].flat()));
  const approvals = new Map<string, Approval>();
  for (const entry of approved) {
    const commits = new Set((lines.get(entry) ?? []).flatMap((line) => writers.get(line) ?? []));
    const [hash = ''] = entry.split('/');
    const answers: Approval[] = [];
    for (const commit of commits)
      answers.push(await approvalOf(root, commit, ends.get(hash) ?? [], approvers));
    approvals.set(entry, answers.find(({ isCounted }) => isCounted) ?? answers.at(-1) ?? notCommitted);
  }
  return approvals;
}

const notCommitted: Approval = {
  isCounted: false,
  text: 'the approval is not committed as a line with the hash',
};

/** Returns whether the approval that a commit wrote counts. `ends` are the commits that ended a release of its hash. */
async function approvalOf(
  root: string,
  commit: string,
  ends: readonly string[],
  approvers: Approvers | undefined,
): Promise<Approval> {
  for (const end of ends)
    if (await isAncestor(root, commit, end))
      return {
        isCounted: false,
        text: `the approval in ${commit.slice(0, 12)} is used up, because a release of this hash ended in ${end.slice(0, 12)}: approve it again, with a new line`,
      };
  return approvers === undefined
    ? { isCounted: true, text: 'approved' }
    : await approvalIn(root, commit, approvers);
}

/** Returns the commit that wrote each of the first lines of a file, by the number of the line. */
async function writersOf(root: string, file: string, lines: number): Promise<ReadonlyMap<number, string>> {
  if (lines === 0) return new Map();
  const blame = ['blame', '--porcelain', '--no-textconv', '-L', `1,${lines}`, 'HEAD', '--', file];
  const answer = await git(root, ['-c', 'blame.ignoreRevsFile=', ...blame]);
  return new Map(
    Array.from(answer.matchAll(/^([0-9a-f]{40}|[0-9a-f]{64}) \d+ (\d+)/gm), ([, commit = '', line]) => [
      Number(line),
      commit,
    ]),
  );
}

async function approvalIn(root: string, commit: string, { emails, signed }: Approvers): Promise<Approval> {
  // The placeholders do not depend on a .mailmap, which anyone can write.
  const log = ['log', '-1', '--no-show-signature', '--format=%ae%n%G?%n%GS', commit];
  const [author = '', signature = '', signer = ''] = (await git(root, log)).split('\n');
  const by = `${author} in ${commit.slice(0, 12)}`;
  const isAllowed = emails.some((email) => email.toLowerCase() === author.toLowerCase());
  if (!isAllowed)
    return { isCounted: false, text: `the approval is by ${by}, who is not one of spec.approvers` };
  if (signed !== true) return { isCounted: true, text: `approved by ${by}` };
  if (signature !== 'G')
    return { isCounted: false, text: `the approval by ${by} has no good signature (${signature})` };
  const [, signerEmail = signer] = /<([^<>]*)>$/.exec(signer) ?? [];
  if (signerEmail.toLowerCase() !== author.toLowerCase())
    return { isCounted: false, text: `the approval by ${by} is signed by ${signer}` };
  return { isCounted: true, text: `approved and signed by ${by}` };
}
