// Forms of schemas, typed key after key in browsers of three languages: what is sent is what was typed.
import type { Page } from '@playwright/test';
import { ANSWERS } from './answer-samples.ts';
import { FORMS, writingOf } from './form-samples.ts';
import { DESK, expect, expectAccessible, makeDesk, send, test } from './studio.ts';

const source = (schema: object): string =>
  `export const input = ${JSON.stringify(schema)};\nexport default (input: unknown) => ({ got: input });\n`;

const SHIP = `document: { dsl: '1.0.3', namespace: desk, name: ship, version: '1.0.0' }
schedule: { on: { one: { with: { type: order.paid } } } }
do:
  - note: { set: { order: '\${ .[0].order }' } }
`;

/** The input or answer that the page sends when something is done. */
async function sentBy(page: Page, what: 'input' | 'answer', act: () => Promise<unknown>): Promise<unknown> {
  const response = page.waitForResponse(
    (one) => one.request().method() === 'POST' && /\/(run|answer)$/.test(one.url()),
  );
  await act();
  const answered = await response;
  expect(answered.status(), await answered.text()).toBeLessThan(300);
  return (answered.request().postDataJSON() as Record<string, unknown>)[what];
}

/** In which language a form is typed that is the same in all. */
const ONCE: Record<string, string> = { rules: 'de-DE', times: 'ar-EG', tree: 'en-US' };
const LOCALES = ['en-US', 'de-DE', 'ar-EG'];

test('what is typed into a form is what is sent, in browsers of three languages', async ({ browser, server }) => {
  await makeDesk(server.address);
  for (const { name, schema } of FORMS) {
    await send(server.address, `${DESK}/definitions/computation`, { name, source: source(schema) });
  }
  for (const [at, { answer }] of ANSWERS.entries()) {
    const ask = { ask: { to: 'ann', message: 'How?', answer } };
    await send(server.address, `${DESK}/definitions/interaction`, { name: `ask-${at}`, source: JSON.stringify(ask) });
  }
  const order = { id: 'o-7', source: '/shop', type: 'order.paid', data: { order: 7 } };
  await send(server.address, `${DESK}/events`, { event: order });
  await send(server.address, `${DESK}/definitions/workflow`, { name: 'ship', source: SHIP });

  for (const locale of LOCALES) {
    const local = (value: number): string => value.toLocaleString(locale);
    const context = await browser.newContext({ locale, timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    // What does not depend on the language is typed once.
    const isTyped = ({ name }: { name: string }) => name === 'numbers' || locale === ONCE[name];
    for (const { name, enter, sent } of FORMS.filter(isTyped)) {
      await page.goto(`${server.address}/#${DESK}/definitions/computation/${name}?tab=run`);
      const panel = page.getByRole('region', { name: 'Input', exact: true });
      await enter(writingOf(page, panel), local);
      if (name === 'rules') await expectAccessible(page);
      const run = () => panel.getByRole('button', { name: /^Run/ }).click();
      expect(await sentBy(page, 'input', run), `${name}, ${locale}`).toEqual(sent);
    }

    // A workflow that events start takes the list of their data.
    await page.goto(`${server.address}/#${DESK}/definitions/workflow/ship?tab=run`);
    await page.getByRole('button', { name: 'Use the latest event' }).click();
    await expect(page.getByRole('textbox', { name: 'Input as JSON' })).toHaveValue(/"order": 7/);
    const start = () => page.getByRole('button', { name: /^Run/ }).click();
    expect(await sentBy(page, 'input', start), locale).toEqual([{ order: 7 }]);

    // Each question is answered in one of the languages.
    for (const [at, { enter, sent }] of ANSWERS.entries()) {
      if (at % LOCALES.length !== LOCALES.indexOf(locale)) continue;
      const { run_id: runId } = await send(server.address, `${DESK}/definitions/interaction/ask-${at}/run`, {});
      await page.goto(`${server.address}/#${DESK}/inbox/${String(runId)}`);
      await enter(writingOf(page, page.getByRole('region', { name: 'Answer', exact: true })), local);
      const answer = await sentBy(page, 'answer', () => page.keyboard.press('ControlOrMeta+Enter'));
      // As text, which also compares a field named `__proto__`.
      expect(JSON.stringify(answer), locale).toBe(sent);
    }
    expect(complaints).toEqual([]);
    await context.close();
  }
});
