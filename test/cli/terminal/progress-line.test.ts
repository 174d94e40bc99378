import { expect, test } from 'vitest';
import { ProgressLine } from '../../../src/cli/terminal/progress-line.ts';

function line(columns = 80): { progress: ProgressLine; written: string[]; screen: { columns: number } } {
  const written: string[] = [];
  const screen = { columns, write: (text: string) => void written.push(text) };
  return { progress: new ProgressLine(screen), written, screen };
}

test('a text replaces the one before', () => {
  const { progress, written } = line();
  progress.show('load …');
  progress.show('place …');
  progress.show('');
  expect(written).toEqual(['\r\u001b[Kload …', '\r\u001b[Kplace …', '\r\u001b[K']);
});

test('is overwritten once by text at its location', () => {
  const { progress, written } = line();
  progress.giveWay();
  progress.show('write …');
  progress.giveWay();
  progress.giveWay();
  expect(written).toEqual(['\r\u001b[Kwrite …', '\r\u001b[K']);
});

test('it stays on one line, even in a very narrow terminal', () => {
  const { progress, written, screen } = line(12);
  progress.show('read 5000 managedclusters …');
  screen.columns = 6;
  progress.show('read 5000 managedclusters …');
  expect(written).toEqual(['\r\u001b[Kread 5000 m', '\r\u001b[Kread ']);
});
