import { TemplateLimitError } from '../error.ts';
import { formatValue } from '../format/format.ts';
import type { ActionNode, BranchNode, ListNode, Statement, TemplateNode } from '../syntax/node.ts';
import { nodeText } from '../syntax/node.ts';
import { quoted } from '../quote.ts';
import { sortedKeys } from '../text.ts';
import { elementType, listItems, mapEntries, typeName } from '../type-name.ts';
import { asElement, concrete, GoFunction, GoObject, Integer, type Operand, type Value } from '../value.ts';
import { evaluatePipeline } from './evaluate.ts';
import { State } from './state.ts';
import { isTrue } from './truth.ts';

/** How a list ended: at its end, or with a `break` or `continue` of the loop around it. */
type Ending = 'end' | 'break' | 'continue';

/** Writes what the nodes of a list produce. As text/template's walk. */
export function walkList(state: State, dot: Operand, { nodes }: ListNode): Ending {
  for (const node of nodes) {
    const ending = walk(state, dot, node);
    if (ending !== 'end') return ending;
  }
  return 'end';
}

function walk(state: State, dot: Operand, node: Statement): Ending {
  state.node = node;
  state.run.meter.spend(1);
  switch (node.kind) {
    case 'text':
      write(state, node.text, node.position, true);
      return 'end';
    case 'action':
      walkAction(state, dot, node);
      return 'end';
    case 'if':
    case 'with':
      return walkIfOrWith(state, dot, node);
    case 'range':
      return walkRange(state, dot, node);
    case 'template':
      walkTemplate(state, dot, node);
      return 'end';
    case 'break':
    case 'continue':
      break;
  }
  return node.kind;
}

function write(state: State, text: string, position: number, isText: boolean): void {
  state.run.meter.write(text.length);
  state.output.write(text, state.tree, position, isText);
}

function walkAction(state: State, dot: Operand, node: ActionNode): void {
  const value = evaluatePipeline(state, dot, node.pipe);
  if (node.pipe.variables.length > 0) return;
  state.node = node;
  if (value instanceof GoFunction) state.fail(`can't print ${nodeText(node)} of type ${typeName(value)}`);
  write(state, printed(value), node.position, false);
}

function printed(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof GoObject && value.pointerText !== undefined) return value.pointerText;
  return value === undefined ? '<no value>' : formatValue(value);
}

function walkIfOrWith(state: State, dot: Operand, { kind, pipe, list, elseList }: BranchNode): Ending {
  const mark = state.mark();
  const value = evaluatePipeline(state, dot, pipe);
  let ending: Ending = 'end';
  if (isTrue(value)) ending = walkList(state, kind === 'with' ? value : dot, list);
  else if (elseList !== undefined) ending = walkList(state, dot, elseList);
  state.pop(mark);
  return ending;
}

/** The key and element of one iteration. */
type Item = readonly [key: Operand, element: Operand];

function walkRange(state: State, dot: Operand, node: BranchNode): Ending {
  const outer = state.mark();
  const value = evaluatePipeline(state, dot, node.pipe);
  const mark = state.mark();
  let isEmpty = true;
  for (const [key, element] of itemsOf(state, value, node)) {
    isEmpty = false;
    state.run.meter.spend(1);
    setVariables(state, node, key, element);
    const ending = walkList(state, element, node.list);
    state.pop(mark);
    if (ending === 'break') break;
  }
  let ending: Ending = 'end';
  if (isEmpty && node.elseList !== undefined) ending = walkList(state, dot, node.elseList);
  state.pop(outer);
  // As in Go, whose `range` stops there: a `break` in its `else` ends this loop, and nothing around it.
  return ending === 'continue' ? ending : 'end';
}

function* itemsOf(state: State, value: Value, { pipe }: BranchNode): Generator<Item> {
  const items = listItems(value);
  const entries = mapEntries(value);
  if (items !== undefined) {
    const type = elementType(value);
    for (const [index, item] of items.entries()) yield [new Integer(BigInt(index)), asElement(item, type)];
  } else if (entries !== undefined) {
    const type = elementType(value);
    for (const key of sortedKeys(entries)) yield [key, asElement(entries.get(key), type)];
  } else if (value instanceof Integer) {
    if (pipe.variables.length > 1)
      state.fail(`can't use ${formatValue(value)} to iterate over more than one variable`);
    for (let at = 0n; at < value.value; at++) yield [undefined, new Integer(at, value.type, value.kind)];
  } else if (value !== undefined) state.fail(`range can't iterate over ${formatValue(value)}`);
}

function setVariables(state: State, { pipe }: BranchNode, key: Operand, element: Operand): void {
  const [first, second] = pipe.variables;
  const firstName = first?.names[0] ?? '';
  if (first === undefined) return;
  if (pipe.isAssignment) {
    state.set(firstName, second === undefined ? element : key);
    if (second !== undefined) state.set(second.names[0] ?? '', element);
    return;
  }
  state.setTop(1, element);
  if (second !== undefined) state.setTop(2, key);
}

function walkTemplate(state: State, dot: Operand, node: TemplateNode): void {
  const tree = state.run.lookup(node.name);
  if (tree === undefined) state.fail(`template ${quoted(node.name)} not defined`);
  const argument = node.pipe === undefined ? undefined : evaluatePipeline(state, dot, node.pipe);
  // Variables are those of the called template alone.
  const called = new State(state.run, tree, state.output, argument);
  state.node = node;
  executeTree(called, concrete(argument));
}

/** Executes the template of a state. */
export function executeTree(state: State, dot: Operand): void {
  try {
    state.run.meter.nested(() => walkList(state, dot, state.tree.root));
  } catch (error) {
    throw error instanceof TemplateLimitError ? state.located(error) : error;
  }
}
