import { diagnostic } from '../../model/diagnostic.ts';
import { RE2JS } from 're2js';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';
import { usedConfigs } from './used-configs.ts';

/** Reports parts of container ids that the hub reads as regular expressions, probably unintentionally. */
export const containerIdPattern: Rule = {
  codes: ['FW7123'],
  *check({ rendering }) {
    for (const { config } of usedConfigs(rendering)) {
      for (const [index, { containerID }] of (config.object.spec.resourceRequirements ?? []).entries()) {
        const parts = containerID.split(':');
        // other counts stop the render, which FW6003 reports
        const fault =
          parts.length === 3 ? parts.map(partFault).find((reason) => reason !== undefined) : undefined;
        if (fault === undefined) continue;
        yield diagnostic('FW7123', {
          message: `containerID "${containerID}" ${fault}`,
          ...pointAt(config, ['spec', 'resourceRequirements', index, 'containerID']),
          hint: 'only a part that is exactly * matches everything; every other part is a regular expression: write agent-.* to match everything that begins with agent-',
        });
      }
    }
  },
};

function partFault(part: string): string | undefined {
  if (part === '*') return undefined;
  if (!compiles(part))
    return `has a part "${part}" that is not a valid regular expression, so the hub skips the entry`;
  // a star after a letter or dash repeats that character, which is never intended
  return /[\w-]\*/.test(part) ? `has a part "${part}" in which * repeats the character before it` : undefined;
}

function compiles(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}
