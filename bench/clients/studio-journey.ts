// What a person does with long lists in the studio; each part is traced by itself.
import type { Browser, Page } from 'playwright-core';
import { pageIdle } from '../../scripts/chromium.ts';
import { type Tasks, traced } from './main-thread.ts';
import type { Send } from '../send.ts';
import type { Made } from './studio-data.ts';

export interface Place {
  address: string;
  playbook: string;
  made: Made;
  send: Send;
}

type Part = readonly [name: string, act: () => Promise<void>];

const WHEEL = 1_500;
/** Pixels: as far as the list of 10,000 runs is long. Reading all events page by page would take minutes. */
const MOST_EVENTS = 440_000;

export async function journey(browser: Browser, place: Place): Promise<Map<string, Tasks>> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  // By default a page remembers its first 250 requests alone.
  await page.addInitScript('performance.setResourceTimingBufferSize(1_000_000)');
  const { address, playbook, made, send } = place;
  const at = `${address}/#/playbooks/${playbook}`;
  const list = (name: string) => page.getByRole('table', { name, exact: true });
  const settled = (): Promise<void> => pageIdle(page);

  const run = (runId: string) => page.goto(`${at}/runs/${runId}`);
  const parts: Part[] = [
    ['home', () => page.goto(at).then(settled)],
    ['runs: open', () => page.goto(`${at}/runs`).then(settled)],
    ['runs: scroll to the end and back', () => scrollThrough(page, '.list')],
    [
      'runs: 200 more come in, scrolled',
      async () => {
        await page.mouse.wheel(0, WHEEL);
        const path = `/v1/orgs/local/playbooks/${playbook}/definitions/computation/add-tax/run`;
        await Promise.all(Array.from({ length: 200 }, (_none, n) => send('POST', path, { input: { price: n } })));
        await settled();
      },
    ],
    [
      'runs: filter',
      async () => {
        for (const name of ['Rejected', 'Running', 'All']) {
          await page.getByRole('radiogroup', { name: 'Status' }).getByText(name, { exact: true }).click();
          await settled();
        }
      },
    ],
    ['run of many steps: open', () => run(made.longRun).then(settled)],
    ['run of many steps: scroll the timeline', () => scrollThrough(page, '.waterfall')],
    [
      'run of many steps: filter the timeline',
      async () => {
        const filter = page.getByRole('textbox', { name: 'Find a step' });
        await filter.pressSequentially('keep');
        await settled();
        await filter.fill('');
        await settled();
      },
    ],
    [
      'run of many steps: history',
      async () => {
        await page.getByRole('tab', { name: 'History' }).click();
        await list('History').waitFor();
        await scrollThrough(page, '.list');
      },
    ],
    ['wide workflow: open its run', () => run(made.wideRun).then(settled)],
    [
      'wide workflow: move the graph',
      async () => {
        await page.locator('.graph').hover();
        for (let turn = 0; turn < 10; turn += 1) await page.mouse.wheel(0, turn % 2 === 0 ? 400 : -400);
        await settled();
      },
    ],
    ['events: open', () => page.goto(`${at}/events`).then(settled)],
    ['events: scroll', () => scrollThrough(page, '.list', MOST_EVENTS)],
    [
      'events: filter',
      async () => {
        const type = page.getByRole('combobox', { name: 'Type' });
        await type.fill('run_rej');
        await page.getByRole('option', { name: 'run_rejected' }).click();
        await settled();
      },
    ],
    [
      'a run of many steps is watched',
      async () => {
        const path = `/v1/orgs/local/playbooks/${playbook}/definitions/workflow/long/run`;
        const { run_id } = await send('POST', path, { input: { turns: 500 } });
        await run(String(run_id));
        await settled();
      },
    ],
  ];
  const figures = new Map<string, Tasks>();
  for (const [name, act] of parts) {
    const before = performance.now();
    figures.set(name, await traced(browser, page, act));
    process.stderr.write(`${playbook}: ${name}, ${((performance.now() - before) / 1000).toFixed(1)} s\n`);
  }
  await page.close();
  return figures;
}

/**
 * To the end of a list that grows as it is scrolled, and back to its beginning.
 * @param most pixels after which it turns back
 */
async function scrollThrough(page: Page, selector: string, most = Number.POSITIVE_INFINITY): Promise<void> {
  const scroller = page.locator(selector).first();
  await scroller.waitFor();
  await scroller.hover();
  // Playwright evaluates a text as an expression: a function that stands in one is not called.
  const box = `document.querySelector('${selector}')`;
  const left = (): Promise<number> => page.evaluate(`${box}.scrollHeight - ${box}.clientHeight - ${box}.scrollTop`);
  const passed = (): Promise<number> => page.evaluate(`${box}.scrollTop`);
  while ((await passed()) < most) {
    await page.mouse.wheel(0, WHEEL);
    await pageIdle(page, 1);
    if ((await left()) > 1) continue;
    await pageIdle(page);
    if ((await left()) <= 1) break;
  }
  while ((await passed()) > 0) {
    await page.mouse.wheel(0, -20 * WHEEL);
    await pageIdle(page, 1);
  }
  await pageIdle(page);
}
