import { encodings, extensions, keysAndSignatures } from './contents.ts';
import type { TableRequest, Target } from './hostile-request.ts';
import { labeled, names, requesters, signers, usagesAndLifetimes } from './metadata.ts';
import { commonNames, groupsAndUnits, subjects } from './subjects.ts';

/**
 * Requests that differ from a good one in one respect, by what that is: hostile ones, and benign ones among them, which have to
 * be approved.
 */
export function requestTable(target: Target): Readonly<Record<string, readonly TableRequest[]>> {
  return {
    names: names(target),
    labels: labeled(target),
    signers: signers(target),
    requesters: requesters(target),
    'usages and lifetimes': usagesAndLifetimes(),
    'common names': commonNames(target),
    subjects: subjects(target),
    'groups and units': groupsAndUnits(target),
    extensions: extensions(target),
    'keys and signatures': keysAndSignatures(target),
    encodings: encodings(target),
  };
}
