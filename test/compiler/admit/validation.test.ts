import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { admitObject } from '../../../src/compiler/admit/admit.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { line, loaded } from './loaded.ts';

/**
 * The answer of a kube-apiserver with OCM's CRDs about an object: a server-side dry run with strict field validation. `blamed`
 * are the fields that its causes name. Where it names none, because the object could not be decoded, it is the field in
 * the message: `unknown field "spec.a"`, or `ObjectMeta.labels`; a cause without a field names it in its message, too.
 */
interface Recorded {
  readonly object: KubernetesObject;
  readonly allowed: boolean;
  readonly blamed?: readonly string[];
}

const recorded = readFileSync(new URL('../../conformance/validation.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((text) => JSON.parse(text) as Recorded);

test('verdicts, and the field that is blamed first, are those of a recorded API server', () => {
  const disagreements: string[] = [];
  let verdicts = 0;
  let refusals = 0;
  let blamedRight = 0;
  for (const { object, allowed, blamed = [] } of recorded) {
    const { valid, diagnostics } = admitObject(loaded(object));
    const first = diagnostics.find(({ severity }) => severity === 'error');
    const isBlamedRight = blamed.includes(first?.path ?? '');
    if (valid === allowed) verdicts++;
    if (!allowed) {
      refusals++;
      if (isBlamedRight) blamedRight++;
    }
    if (valid === allowed && (allowed || isBlamedRight)) continue;
    const ownVerdict = first === undefined ? 'nothing' : line(first);
    const hub = allowed ? 'allows it' : `blames ${blamed.join(', ')}`;
    disagreements.push(`the API server ${hub}, we say ${ownVerdict}\n  ${JSON.stringify(object)}`);
  }
  const figures =
    `${verdicts} of ${recorded.length} verdicts equal; ` +
    `first blamed field right in ${blamedRight} of ${refusals} refusals`;
  process.stdout.write(`${[figures, ...disagreements].join('\n')}\n`);
  expect(recorded.length).toBe(4000);
  expect(verdicts).toBe(recorded.length);
  expect(blamedRight / refusals).toBeGreaterThanOrEqual(0.95);
});
