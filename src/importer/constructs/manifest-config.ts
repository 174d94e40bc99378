import type {
  AddOnTemplateV1alpha1ConditionRule,
  AddOnTemplateV1alpha1FeedbackRule,
  AddOnTemplateV1alpha1ManifestConfigOption,
  AddOnTemplateV1alpha1UpdateStrategy,
} from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../../compiler/model/field-path.ts';
import { listExpression } from '../code/list-expression.ts';
import { at, call, literal, object, plain, unlessEmptyList, type Expression } from '../code/expression.ts';

/** Writes `ManifestConfig.of(…)`. */
export function manifestConfig(
  { resourceIdentifier, ...options }: AddOnTemplateV1alpha1ManifestConfigOption,
  path: FieldPath,
): Expression {
  const { feedbackRules, feedbackScrapeType = 'Poll', conditionRules, updateStrategy } = options;
  const feedback = listExpression(feedbackRules, [...path, 'feedbackRules'], feedbackRule);
  const conditions = listExpression(conditionRules, [...path, 'conditionRules'], conditionRule);
  const strategy = updateStrategy && update(updateStrategy, [...path, 'updateStrategy']);
  const { group = '', resource, namespace, name } = resourceIdentifier;
  const reference = { group, resource, ...(namespace !== undefined && { namespace }), name };
  const props = object({
    feedback: at([...path, 'feedbackRules'], unlessEmptyList(feedback)),
    feedbackScrapeType: feedbackScrapeType === 'Poll' ? undefined : literal(feedbackScrapeType),
    conditions: at([...path, 'conditionRules'], unlessEmptyList(conditions)),
    updateStrategy: at([...path, 'updateStrategy'], strategy),
  });
  return call('ManifestConfig', 'of', plain(reference, [...path, 'resourceIdentifier']), props);
}

function feedbackRule(
  { type, jsonPaths, ...others }: AddOnTemplateV1alpha1FeedbackRule,
  path: FieldPath,
): Expression | undefined {
  if (Object.keys(others).length > 0) return undefined;
  if (type === 'WellKnownStatus')
    return jsonPaths === undefined ? call('Feedback', 'wellKnownStatus') : undefined;
  if (jsonPaths === undefined || jsonPaths.some(({ version }) => version !== undefined)) return undefined;
  const paths = Object.fromEntries(jsonPaths.map((value) => [value.name, value.path]));
  return call('Feedback', 'jsonPaths', plain(paths, [...path, 'jsonPaths']));
}

function conditionRule(
  {
    type,
    condition,
    celExpressions,
    message,
    messageExpression,
    ...others
  }: AddOnTemplateV1alpha1ConditionRule,
  path: FieldPath,
): Expression | undefined {
  if (Object.keys(others).length > 0) return undefined;
  const fields = {
    ...(message !== undefined && { message }),
    ...(messageExpression !== undefined && { messageExpression }),
  };
  if (type === 'WellKnownConditions') {
    if (celExpressions !== undefined || Object.keys(fields).length > 0) return undefined;
    return call('ConditionRule', 'wellKnown', literal(condition));
  }
  if (celExpressions === undefined) return undefined;
  return call(
    'ConditionRule',
    'cel',
    literal(condition),
    plain(celExpressions, [...path, 'celExpressions']),
    Object.keys(fields).length === 0 ? undefined : plain(fields, path),
  );
}

const updates: ReadonlyMap<string, string> = new Map([
  ['Update', 'update'],
  ['CreateOnly', 'createOnly'],
  ['ReadOnly', 'readOnly'],
  ['ServerSideApply', 'serverSideApply'],
]);

function update(
  { type, serverSideApply, ...others }: AddOnTemplateV1alpha1UpdateStrategy,
  path: FieldPath,
): Expression | undefined {
  const method = updates.get(type);
  if (method === undefined || Object.keys(others).length > 0) return undefined;
  if (type !== 'ServerSideApply')
    return serverSideApply === undefined ? call('UpdateStrategy', method) : undefined;
  const { fieldManager = 'work-agent', ...apply } = serverSideApply ?? {};
  const options = { ...(fieldManager !== 'work-agent' && { fieldManager }), ...apply };
  return call(
    'UpdateStrategy',
    method,
    Object.keys(options).length === 0 ? undefined : plain(options, [...path, 'serverSideApply']),
  );
}
