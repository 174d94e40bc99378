import { quoted } from '../quote.ts';
import type {
  ChainNode,
  CommandNode,
  Expression,
  IdentifierNode,
  NumberNode,
  PipeNode,
} from '../syntax/node.ts';
import { nodeText } from '../syntax/node.ts';
import { Complex, concrete, Integer, type Operand, type Value } from '../value.ts';
import { evaluateArgument } from './argument.ts';
import { evaluateCall } from './call.ts';
import { evaluateField } from './field.ts';
import type { State } from './state.ts';

/** The value that the previous command passes on; undefined for the first command of a pipeline. */
export type Final = { readonly value: Operand } | undefined;

const maxInt64 = 2n ** 63n - 1n;

/** Returns the value of a pipeline, and sets the variables that it declares or assigns. */
export function evaluatePipeline(state: State, dot: Operand, pipe: PipeNode): Value {
  state.node = pipe;
  let final: Final;
  let value: Value;
  for (const command of pipe.commands) {
    value = concrete(evaluateCommand(state, dot, command, final));
    final = { value };
  }
  for (const { names } of pipe.variables) {
    const [name = ''] = names;
    if (pipe.isAssignment) state.set(name, value);
    else state.push(name, value);
  }
  return value;
}

function evaluateCommand(state: State, dot: Operand, command: CommandNode, final: Final): Operand {
  state.run.meter.spend(1);
  const { args } = command;
  const first = args[0] as Expression;
  switch (first.kind) {
    case 'field':
    case 'chain':
    case 'variable':
      return evaluateFields(state, dot, first, args, final);
    case 'identifier':
      return evaluateFunction(state, dot, first, command, args, final);
    case 'pipe':
      notAFunction(state, args, final);
      return evaluatePipeline(state, dot, first);
    case 'bool':
    case 'dot':
    case 'nil':
    case 'number':
    case 'string':
      break;
  }
  state.node = first;
  notAFunction(state, args, final);
  if (first.kind === 'nil') state.fail('nil is not a command');
  return constantValue(state, dot, first);
}

/** Returns the value of a literal or of dot. */
export function constantValue(
  state: State,
  dot: Operand,
  node: Exclude<Expression, IdentifierNode | PipeNode | ChainNode>,
): Operand {
  switch (node.kind) {
    case 'bool':
      return node.value;
    case 'string':
      return node.text;
    case 'dot':
      return dot;
    case 'number':
      return idealConstant(state, node);
    case 'field':
    case 'nil':
    case 'variable':
      break;
  }
  return state.fail(`can't evaluate command ${quoted(nodeText(node))}`);
}

/** Returns a number without a required type: its syntax decides, as in Go. */
function idealConstant(state: State, node: NumberNode): Value {
  const { text, value } = node;
  state.node = node;
  if (value.complex !== undefined) return new Complex(value.complex.real, value.complex.imaginary);
  const isHexInteger = /^0[xX]./.test(text) && !/[pP]/.test(text);
  const isFloat = !isHexInteger && !text.startsWith("'") && /[.eEpP]/.test(text);
  if (value.float !== undefined && isFloat) return value.float;
  if (value.integer !== undefined && value.integer <= maxInt64) return new Integer(value.integer);
  return state.fail(`${text} overflows int`);
}

function notAFunction(state: State, args: readonly Expression[], final: Final): void {
  if (args.length > 1 || final !== undefined)
    state.fail(`can't give argument to non-function ${nodeText(args[0] as Expression)}`);
}

/** Returns the value of a function, called with the arguments of a command. */
export function evaluateFunction(
  state: State,
  dot: Operand,
  node: IdentifierNode,
  command: CommandNode | IdentifierNode,
  args: readonly Expression[],
  final: Final,
): Operand {
  state.node = node;
  const entry = state.run.findFunction(node.name);
  if (entry === undefined) return state.fail(`${quoted(node.name)} is not a defined function`);
  const { function: called, isBuiltin } = entry;
  return evaluateCall(state, dot, {
    function: called,
    isBuiltin,
    name: node.name,
    node: command,
    args: args.slice(1),
    final,
  });
}

/** Returns the value of `.a.b`, `$x.a` or `(pipeline).a`. The last one may be a method, which takes the arguments. */
export function evaluateFields(
  state: State,
  dot: Operand,
  node: Extract<Expression, { readonly kind: 'field' | 'variable' | 'chain' }>,
  args: readonly Expression[],
  final: Final,
): Operand {
  state.node = node;
  let receiver = dot;
  let names: readonly string[] = node.names;
  if (node.kind === 'variable') {
    receiver = state.variable(names[0] ?? '');
    names = names.slice(1);
    if (names.length === 0) {
      notAFunctionCall(state, args, final);
      return receiver;
    }
  } else if (node.kind === 'chain') {
    if (node.node.kind === 'nil') state.fail(`indirection through explicit nil in ${nodeText(node)}`);
    receiver = evaluateArgument(state, dot, 'any operand', node.node);
  }
  const last = names.length - 1;
  let container = receiver;
  for (const [index, name] of names.entries()) {
    const isLast = index === last;
    container = receiver;
    receiver = evaluateField(state, dot, {
      name,
      node,
      args: isLast ? args.slice(1) : [],
      final: isLast ? final : undefined,
      receiver,
    });
  }
  state.run.onRead?.(concrete(container), names.slice(last), concrete(receiver));
  return receiver;
}

function notAFunctionCall(state: State, args: readonly Expression[], final: Final): void {
  if (args.length > 0) notAFunction(state, args, final);
}
