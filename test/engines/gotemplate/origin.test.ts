import { expect, test } from 'vitest';
import { positionOf, TemplateSet, toValue } from '../../../src/engines/gotemplate/index.ts';

test('each part of the output names the text or action that wrote it', () => {
  const set = new TemplateSet('set');
  set.parse('helpers.tpl', '{{ define "name" }}{{ .name }}-agent{{ end }}');
  set.parse('main', 'metadata:\n  name: {{ template "name" . }}\n  count: {{ .count }}\n');
  const { text, segments } = set.execute('main', toValue({ name: 'a', count: 2 }), { traces: true });
  expect(text).toBe('metadata:\n  name: a-agent\n  count: 2\n');
  const origins = segments.map(({ start, end, tree, position, isText }) => {
    const { template, line, column } = positionOf(tree, position);
    return [
      text.slice(start, end),
      `${template}:${String(line)}:${String(column)}`,
      isText ? 'text' : 'action',
    ];
  });
  expect(origins).toEqual([
    ['metadata:\n  name: ', 'main:1:0', 'text'],
    ['a', 'helpers.tpl:1:22', 'action'],
    ['-agent', 'helpers.tpl:1:30', 'text'],
    ['\n  count: ', 'main:2:31', 'text'],
    ['2', 'main:3:12', 'action'],
    ['\n', 'main:3:21', 'text'],
  ]);
});
