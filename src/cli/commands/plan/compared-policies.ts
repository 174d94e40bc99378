import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Argv } from 'yargs';
import type { AcceptedFinding, FileLocation, FindingSettings } from '../../../compiler/index.ts';
import { DiagnosedError } from '../../../workspace/diagnosed-error.ts';
import { subjectOf } from '../../../workspace/finding-selection.ts';
import { readPolicies, type Policies } from '../../../workspace/settings/policies.ts';
import { settingsFile } from '../../../workspace/settings/settings.ts';
import type { FileState } from '../../../workspace/revisions.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { type PolicyArguments } from '../../options.ts';
import type { Host } from '../../../workspace/host.ts';

/** The states whose policies a plan uses. */
const sources = ['base', 'head'] as const;

/** The policies for a plan. */
export interface ComparedPolicies extends Policies {
  /** What the base decides about findings. */
  readonly findingsOfBase: FindingSettings;
  /** The acceptances that the change adds. They do not cover errors. */
  readonly acceptedByChange: readonly AcceptedFinding[];
}

export interface ComparedPolicyArguments extends PolicyArguments {
  readonly 'policy-from': (typeof sources)[number];
}

export function policyFromOption<T extends PolicyArguments>(
  command: Argv<T>,
): Argv<T & ComparedPolicyArguments> {
  return command.option('policy-from', {
    describe: 'state whose policies and guardrails apply to the plan',
    choices: sources,
    default: 'base' as const,
  });
}

/**
 * Returns the policies for checking a change: those of the base, because the change could contain any others.
 * Approved hashes of the change count: a hash approves one plan and no other. Acceptances of the change count for warnings and infos,
 * and are reported.
 *
 * @throws UserError, DiagnosedError if the file of a state cannot be read.
 */
export async function readComparedPolicies(
  options: ComparedPolicyArguments,
  { base, head }: { readonly base: FileState; readonly head: FileState },
  host: Host,
): Promise<ComparedPolicies> {
  const ofHead = await readPolicies(options, { ...host, cwd: head.cwd });
  if (options['policy-from'] === 'head') return ofOneState(ofHead);
  const ofBase = await readBase(options, base, host);
  const changed = changedParts(ofBase, ofHead);
  const name = options.policy ?? settingsFile;
  const changes = diagnostic('FW8030', {
    message: `the change edits ${changed.join(', ')} in ${name}; this plan uses those of ${base.label}`,
    location: { file: name, line: 1, column: 1 },
    hint: 'to use the edited ones, run plan with --policy-from head',
  });
  const accepted = ofHead.findings.accepted.map((each) => ({ ...each, location: inHead(each.location) }));
  const acceptedByChange = addedAcceptances(ofBase.findings.accepted, accepted);
  return {
    ...ofBase,
    // As an approved hash, an acceptance covers one thing and is reported.
    findings: { accepted, severities: ofBase.findings.severities },
    findingsOfBase: ofBase.findings,
    acceptedByChange,
    // A change must not show what the base masks, and the base does not know what the change adds.
    sensitive: {
      variables: [...ofBase.sensitive.variables, ...ofHead.sensitive.variables],
      fields: [...ofBase.sensitive.fields, ...ofHead.sensitive.fields],
    },
    guardrails: {
      ...ofBase.guardrails,
      approved: [...ofBase.guardrails.approved, ...ofHead.guardrails.approved],
    },
    diagnostics: [
      ...ofBase.diagnostics,
      ...ofHead.diagnostics.filter(
        (ours) => !ofBase.diagnostics.some(({ message }) => message === ours.message),
      ),
      ...(changed.length > 0 ? [changes] : []),
      ...acceptedByChange.map((accepted) =>
        diagnostic('FW8032', {
          message: `the change accepts ${accepted.code} of ${subjectOf(accepted)}: ${accepted.reason}`,
          location: accepted.location,
        }),
      ),
    ],
  };
}

/** Returns the policies of a state that is not compared with those of another one. */
export function ofOneState(policies: Policies): ComparedPolicies {
  return { ...policies, findingsOfBase: policies.findings, acceptedByChange: [] };
}

/**
 * Returns a location in the settings of the head. Findings of policies and guardrails are in the file of the same name in the base,
 * whose lines can be others.
 */
export function inHead(location: FileLocation): FileLocation {
  return { ...location, file: `./${location.file}` };
}

function addedAcceptances(
  base: readonly AcceptedFinding[],
  head: readonly AcceptedFinding[],
): readonly AcceptedFinding[] {
  const withoutLocation = ({ location: _location, ...accepted }: AcceptedFinding): object => accepted;
  const earlier = base.map(withoutLocation);
  return head.filter(
    (accepted) => !earlier.some((each) => isDeepStrictEqual(each, withoutLocation(accepted))),
  );
}

/**
 * Reads the policies of the base. A base without the file that `--policy` selects has no policies: the change adds
 * the file.
 */
async function readBase(options: PolicyArguments, { cwd, label }: FileState, host: Host): Promise<Policies> {
  try {
    return await readPolicies({ ...options, mayBeMissing: true }, { ...host, cwd });
  } catch (error) {
    if (!(error instanceof UserError) && !(error instanceof DiagnosedError)) throw error;
    throw new UserError(
      `the policies of ${label} cannot be read: ${error.message}`,
      'correct the file there, or run plan with --policy-from head',
    );
  }
}

/** Returns the parts of the file that a plan depends on and that differ. */
function changedParts(base: Policies, head: Policies): string[] {
  const values = (all: readonly { readonly value: unknown }[]): unknown => all.map(({ value }) => value);
  const guardrails = ({
    guardrails: { maxUninstalls, maxDeletions, maxDeletedApplications, maxStoppedPolicies, atMost, protect },
  }: Policies): unknown => [
    maxUninstalls?.value,
    maxDeletions?.value,
    maxDeletedApplications?.value,
    maxStoppedPolicies?.value,
    values(atMost),
    values(protect),
  ];
  const parts = {
    guardrails,
    policies: ({ written }: Policies) => written,
    invariants: ({ invariants }: Policies) =>
      invariants.map(({ location: _location, ...invariant }) => invariant),
    'fleet.maxAge': ({ maxAge }: Policies) => maxAge,
    'apps.unconfined': ({ unconfined }: Policies) => unconfined,
    'kustomize.plugins': ({ trusted }: Policies) => trusted.plugins,
    'kustomize.helm': ({ trusted }: Policies) => trusted.helm,
    'findings.severity': ({ findings }: Policies) => findings.severities,
  };
  return Object.entries(parts)
    .filter(([, partOf]) => !isDeepStrictEqual(partOf(base), partOf(head)))
    .map(([name]) => name);
}
