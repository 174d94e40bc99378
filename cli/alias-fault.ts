import { isAlias, isCollection, isPair, type Document, type Node } from 'yaml';
import type { Diagnostic } from '../compiler/diagnostic.ts';
import { AliasBudget } from '../compiler/load/alias-budget.ts';
import { Findings } from '../compiler/load/findings.ts';
import { SourceFile } from '../compiler/load/source-file.ts';

interface Visit {
  readonly node: unknown;
  /** The outermost alias that leads to the node. */
  readonly alias?: Node;
}

/** Returns the finding for aliases that multiply a document beyond the bound of kubectl; undefined if there are none. */
export function aliasFault(file: string, text: string, document: Document): Diagnostic | undefined {
  const anchors = new Map<string, Node>();
  const budget = new AliasBudget();
  const waiting: Visit[] = [{ node: document.contents }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, alias } = next;
    if (isAlias(node)) {
      waiting.push({ node: anchors.get(node.source), alias: alias ?? node });
      continue;
    }
    if (isPair(node)) {
      waiting.push({ ...next, node: node.value }, { ...next, node: node.key });
      continue;
    }
    if (!budget.spend(alias !== undefined)) {
      const findings = new Findings(new SourceFile(file, text));
      findings.add('FW1006', alias?.range?.[0] ?? 0, 'the aliases of this document multiply beyond measure');
      return findings.diagnostics[0];
    }
    if (!isCollection(node)) continue;
    if (alias === undefined && node.anchor !== undefined) anchors.set(node.anchor, node);
    for (const item of node.items.toReversed()) waiting.push({ ...next, node: item });
  }
  return undefined;
}
