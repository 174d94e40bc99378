import path from 'node:path';
import { approvedLines } from '../../compiler/promotion/approved-lines.ts';
import type { Approvers, Promotion } from '../../compiler/promotion/promotion.ts';
import type { Approval } from '../../compiler/promotion/step-gates.ts';
import { git } from '../git.ts';
import { committedText } from './promotion-history.ts';

/**
 * Returns who approved each entry of `spec.approved` that names one of these releases: the author of the commit that wrote its
 * line last. Undefined if every approval counts.
 *
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
  if (approvers === undefined) return undefined;
  // The file may keep the approvals of all earlier releases.
  const approved = (spec.approved ?? []).filter((entry) => releases.some((hash) => entry.startsWith(hash)));
  const refused = (text: string): ReadonlyMap<string, Approval> =>
    new Map(approved.map((entry) => [entry, { isCounted: false, text }]));
  if (approved.length === 0) return new Map();
  // The oldest commit of a shallow clone seems to have written everything.
  const isShallow = await git(root, ['rev-parse', '--is-shallow-repository']);
  if (isShallow.trim() !== 'false')
    return refused('the approver is unknown: check out the history with fetch-depth: 0');
  const lines = approvedLines((await committedText(path.join(root, file))) ?? '');
  const writers = await writersOf(root, file, Math.max(0, ...lines.values()));
  const approvals = new Map<string, Approval>();
  for (const entry of approved) {
    const line = lines.get(entry);
    const commit = line === undefined ? undefined : writers.get(line);
    approvals.set(
      entry,
      commit === undefined
        ? { isCounted: false, text: 'the approval is not committed as a line with the hash' }
        : await approvalIn(root, commit, approvers),
    );
  }
  return approvals;
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
