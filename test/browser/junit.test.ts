import { expect, test } from 'vitest';
import { planJunit } from '../../src/compiler/report/ci/plan-junit.ts';
import { eventfulReport } from '../compiler/report/eventful.ts';
import { ReportBrowser } from './browser.ts';

/** What CI systems read of a file; the browser's own parser says whether it is XML. Runs in the page. */
function readJunit(text: string): object {
  const document = new DOMParser().parseFromString(text, 'application/xml');
  const attributes = (element: Element): object =>
    Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
  return {
    faults: [...document.querySelectorAll('parsererror')].map(({ textContent }) => textContent),
    suites: [...document.querySelectorAll('testsuites > testsuite')].map(attributes),
    cases: [...document.querySelectorAll('testsuites > testsuite > testcase')].map(
      (element) => element.getAttribute('name') ?? '',
    ),
    failures: [...document.querySelectorAll('testcase > failure')].map(
      (element) => element.getAttribute('message') ?? '',
    ),
  };
}

test('JUnit XML contains the same as the plan, whatever its texts contain', async () => {
  const browser = await ReportBrowser.start();
  try {
    const message = `]]> <b a='1' b="2"> & \u0001\ud800 ü 😀`;
    const shown = message.replace('\u0001\ud800', '\ufffd\ufffd');
    const finding = { code: 'FW8002', severity: 'error', message } as const;
    const { page } = await browser.open('<!doctype html><title>empty</title>');
    expect(await page.evaluate(readJunit, planJunit({ ...eventfulReport(), findings: [finding] }))).toEqual({
      faults: [],
      suites: [{ name: 'plan', tests: '7', failures: '1' }],
      cases: [
        `FW8002: ${shown}`,
        'hello',
        'hello: AddOnDeploymentConfig default/prod edited',
        'hello: AddOnTemplate t1 edited',
        'hello: AddOnTemplate t2 added',
        'hello: ClusterManagementAddOn hello edited',
        'summary',
      ],
      failures: [shown],
    });
  } finally {
    await browser.stop();
  }
});
