import {
  FunctionError,
  goFunction,
  quoted,
  TemplateError,
  type Call,
  type GoFunction,
  type Value,
} from '../../gotemplate/index.ts';

/** How often a template may include itself, in Helm. */
const mostIncludes = 1000;

/** Marks the message of `required` and `fail`, which is all that Helm reports. */
function marked(message: string): FunctionError {
  return new FunctionError(`HELM_ERR_START${message}HELM_ERR_END`);
}

/** Helm's own functions that execute templates, end them, or read the cluster. */
export const templateFunctions: Readonly<Record<string, GoFunction>> = {
  include: goFunction('string, any -> string', ([name, data], call) => include(name as string, data, call)),
  tpl: goFunction('string, any -> string', ([text, data], call) => executeText(text as string, data, call)),
  required: goFunction('string, any -> any', ([message, value = null]) => {
    if (value === null || value === '') throw marked(message as string);
    return value;
  }),
  fail: goFunction('string -> string', ([message]) => {
    throw marked(message as string);
  }),
  // As Helm's engine without access to a cluster.
  lookup: goFunction('string, string, string, string -> dict', () => new Map<string, Value>()),
  getHostByName: goFunction('string -> string', () => ''),
};

function include(name: string, data: Value, call: Call): string {
  const depth = call.includes.get(name) ?? 0;
  if (depth > mostIncludes)
    throw new FunctionError(
      `rendering template has a nested reference name: ${name}: unable to execute template`,
    );
  call.includes.set(name, depth + 1);
  const text = call.execute(name, data);
  call.includes.set(name, depth);
  return text;
}

function executeText(text: string, data: Value, call: Call): string {
  try {
    return call.executeText(text, data).replaceAll('<no value>', '');
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const what =
      error.phase === 'parse' ? 'cannot parse template' : 'error during tpl function execution for';
    throw new FunctionError(`${what} ${quoted(text)}: ${error.message}`, { cause: error });
  }
}
