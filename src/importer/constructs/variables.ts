import { call, literal, member, type Expression } from '../code/expression.ts';

const builtIn: ReadonlyMap<string, string> = new Map([
  ['CLUSTER_NAME', 'clusterName'],
  ['INSTALL_NAMESPACE', 'installNamespace'],
  ['HUB_KUBECONFIG', 'hubKubeconfig'],
]);

const variable = /\{\{([a-zA-Z_][_a-zA-Z0-9]*)\}\}/;

/** Writes a string of a template, with its variables as members of `Variable`. */
export function templateText(text: string): Expression {
  // the odd parts are the names
  const pieces = text.split(variable);
  if (pieces.length === 1) return literal(text);
  const parts = pieces.map((piece, index) => (index % 2 === 0 ? piece : variableOf(piece)));
  const [before, only, after, ...others] = parts;
  if (before === '' && after === '' && others.length === 0 && typeof only === 'object') return only;
  return { type: 'template', parts };
}

function variableOf(name: string): Expression {
  const builtInVariable = builtIn.get(name);
  return builtInVariable === undefined
    ? call('Variable', 'custom', literal(name))
    : member('Variable', builtInVariable);
}
