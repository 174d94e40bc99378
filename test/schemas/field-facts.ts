/** The parts of an OpenAPI or JSON Schema that the walk looks at; every other keyword is taken as it is. */
interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly title?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly required?: readonly string[];
}

/** What one field is: its keywords, without texts and without those that only lead to other fields. */
export type FieldFacts = Readonly<Record<string, unknown>>;

/**
 * The fields below `apiVersion`, `kind` and `metadata` of an object, by path: `spec.taints[].key` is a field of list
 * items, `status.capacity{}` denotes the values of a map. Two equivalent forms are made equal:
 * `additionalProperties: false` is dropped, and the type of a nullable field is its type beside `null`.
 */
export function fieldFacts(root: object): Record<string, FieldFacts> {
  const facts: Record<string, FieldFacts> = {};
  visitFields(root, (path, field, required) => {
    const {
      description: _description,
      title: _title,
      properties: _properties,
      additionalProperties: _values,
      items: _items,
      required: _required,
      type,
      ...keywords
    } = field;
    facts[path] = {
      ...(type !== undefined && {
        type: typeof type === 'string' ? type : type.find((name) => name !== 'null'),
      }),
      ...keywords,
      ...(required && { required }),
    };
  });
  return facts;
}

/** The description of each field that has one, by path. */
export function fieldDescriptions(root: object): Map<string, string> {
  const descriptions = new Map<string, string>();
  visitFields(root, (path, { description }) => {
    if (description !== undefined) descriptions.set(path, description);
  });
  return descriptions;
}

function visitFields(
  root: SchemaNode,
  visit: (path: string, field: SchemaNode, required: boolean) => void,
): void {
  const descend = (node: SchemaNode, path: string): void => {
    for (const [name, field] of Object.entries(node.properties ?? {})) {
      const isRequired = node.required?.includes(name) ?? false;
      if (path === '' && ['apiVersion', 'kind', 'metadata'].includes(name)) continue;
      enter(field, path === '' ? name : `${path}.${name}`, isRequired);
    }
    if (node.items) enter(node.items, `${path}[]`, false);
    if (typeof node.additionalProperties === 'object') enter(node.additionalProperties, `${path}{}`, false);
  };
  const enter = (field: SchemaNode, path: string, required: boolean): void => {
    visit(path, field, required);
    descend(field, path);
  };
  descend(root, '');
}
