import { isAlias, isCollection, isPair, isScalar, type Document, type Node } from 'yaml';
import type { Diagnostic } from '../../compiler/index.ts';
import { AliasBudget } from '../../compiler/load/yaml/alias-budget.ts';
import { DiagnosticCollector } from '../../compiler/load/diagnostic-collector.ts';
import { SourceFile } from '../../compiler/load/source-file.ts';

interface Visit {
  readonly node: unknown;
  /** The outermost alias that leads to the node. */
  readonly alias?: Node;
}

/**
 * Returns the finding for an alias without an anchor before it, or for aliases that multiply a document beyond the bound of
 * kubectl; undefined if there is neither.
 */
export function aliasFault(file: string, text: string, document: Document): Diagnostic | undefined {
  const fault = (
    code: 'FW1005' | 'FW1006',
    node: Node | undefined,
    message: string,
  ): Diagnostic | undefined => {
    const findings = new DiagnosticCollector(new SourceFile(file, text));
    findings.add(code, node?.range?.[0] ?? 0, message);
    return findings.diagnostics[0];
  };
  const anchors = new Map<string, Node>();
  const budget = new AliasBudget();
  const waiting: Visit[] = [{ node: document.contents }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, alias } = next;
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined) {
        return fault('FW1005', node, `there is no anchor &${node.source} before this alias`);
      }
      waiting.push({ node: target, alias: alias ?? node });
      continue;
    }
    if (isPair(node)) {
      waiting.push({ ...next, node: node.value }, { ...next, node: node.key });
      continue;
    }
    if (!budget.spend(alias !== undefined)) {
      return fault('FW1006', alias, 'the aliases of this document expand to too many values');
    }
    if (alias === undefined && (isCollection(node) || isScalar(node)) && node.anchor !== undefined)
      anchors.set(node.anchor, node);
    if (!isCollection(node)) continue;
    for (const item of node.items.toReversed()) waiting.push({ ...next, node: item });
  }
  return undefined;
}
