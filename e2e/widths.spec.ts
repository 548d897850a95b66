// Every place as wide as a desk, a small window and a phone: nothing is wider than the page, what is cut says so.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { PLACES } from '../renderer/app/places.ts';
import { pageIdle } from '../scripts/chromium.ts';
import { FILES_SERVER } from './files.ts';
import { editorOf, expect, expectAccessible, openSample, REPORT, send, sendRefused, test } from './studio.ts';

test.use({ hasSample: true });

const DESK = '/playbooks/wildlife-strikes';
const LONG = 'rank-every-report-of-a-wildlife-strike-at-once';
const SOURCE = 'export default (input) => ({ doubled: input.n * 2 })';
const WEATHER = {
  name: 'weather-of-the-airports-of-california',
  kind: 'openapi',
  entry: { document: 'https://api.weather.example/openapi.json', base_url: 'https://api.weather.example' },
  credential: { kind: 'secret', name: 'x-api-key', in: 'header' },
};

/** Something of each kind, with long names among it. @returns the places to look at */
async function fill(address: string): Promise<string[]> {
  await send(address, `${DESK}/definitions/computation`, { name: LONG, source: SOURCE });
  const { run_id: runId } = await send(address, `${DESK}/definitions/computation/${LONG}/run`, { input: { n: 1 } });
  await send(address, `${DESK}/events`, { event: REPORT });
  const { run_id: asked } = await send(address, `${DESK}/definitions/interaction/approve-inspection/run`, {
    input: { report: LONG, priority: 'P1', manager: 'duty-manager-of-the-night' },
  });
  await send(address, '/connections', WEATHER);
  return [
    '/',
    ...PLACES.map(({ to }) => to.replace('$playbook', 'wildlife-strikes')),
    `${DESK}/runs/${String(runId)}?tab=history`,
    `${DESK}/inbox/${String(asked)}`,
    `${DESK}/definitions/computation/${LONG}?tab=run`,
    `${DESK}/definitions/workflow/handle-report?tab=versions`,
    `${DESK}/definitions/workflow/handle-report`,
  ];
}

const BROKEN = `export default () => {
  throw new Error('${'It fails for a reason that takes long to explain. '.repeat(6)}');
};
`;

/** The tabs of pages, and pages with a tool server, a long error and a chosen step. @returns the places to look at */
async function fillTabs({ address, dataDir }: { address: string; dataDir: string }): Promise<string[]> {
  const files = { type: 'stdio', command: process.execPath, args: [FILES_SERVER, dataDir] };
  writeFileSync(path.join(dataDir, 'cuebook.yaml'), JSON.stringify({ tool_servers: { files } }));
  await send(address, `${DESK}/definitions/computation`, { name: LONG, source: BROKEN });
  const { run_id: failed } = await sendRefused(address, `${DESK}/definitions/computation/${LONG}/run`, { input: {} });
  const { run_id: flow } = await send(address, `${DESK}/definitions/workflow/inspect-aircraft/run`, {
    input: { id: 'WS-1', phase: 'Climb', size: 'Large', damage: 'Substantial' },
  });
  const tab = (definition: string, name: string): string => `${DESK}/definitions/${definition}?tab=${name}`;
  return [
    `${DESK}/definitions/new`,
    `${DESK}/definitions/new?type=computation&tab=run`,
    `${DESK}/definitions/new?type=workflow`,
    tab(`computation/${LONG}`, 'evaluate'),
    tab('reasoning/summarise-report', 'bench'),
    tab('interaction/approve-inspection', 'run'),
    tab('workflow/weekly-digest', 'schedule'),
    ...['dataset', 'models', 'forecast'].map((name) => tab('prediction/strike-reports', name)),
    `${DESK}/runs/${String(failed)}`,
    `${DESK}/runs/${String(flow)}?step=%2Fdo%2F0%2Frank`,
    `${DESK}/runs/${String(flow)}?tab=compare`,
    `${DESK}/tools`,
    `${DESK}/tools/files/edit_file`,
  ];
}

interface Cut {
  x: number;
  y: number;
  text: string;
}

/** What is wider than the page or cut without an ellipsis, and where something is cut with one. */
const LOOK = `(() => {
  const wrong = [];
  const cut = [];
  const own = '.monaco-editor, .monaco-diff-editor, .react-flow, .recharts-wrapper, .visually-hidden, .mantine-ScrollArea-root > :not(.mantine-ScrollArea-viewport), .mantine-Switch-root';
  if (document.scrollingElement.scrollWidth > innerWidth) wrong.push('the page is ' + document.scrollingElement.scrollWidth);
  for (const one of document.querySelectorAll('main *, nav *')) {
    if (one.closest(own) !== null) continue;
    const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
    if (width < 2 || height < 2 || bottom < 0 || top > innerHeight) continue;
    const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(one);
    const name = one.localName + '.' + one.className + ': ' + one.textContent.slice(0, 40);
    if (one.matches('.page, .filled-page, .with-side, .list, .mantine-SegmentedControl-root') && overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1) wrong.push('scrolled sideways: ' + name);
    if (overflowX !== 'hidden' && overflowX !== 'clip') continue;
    const isWide = one.scrollWidth > one.clientWidth + 1 && one.localName !== 'input';
    const isClamped = webkitLineClamp !== 'none';
    if (isWide && textOverflow !== 'ellipsis' && !isClamped) wrong.push('cut: ' + name);
    // A box gets no ellipsis, whatever its parent says: only text does.
    const isBox = (child) => getComputedStyle(child).display !== 'inline' && child.getBoundingClientRect().right > right + 1;
    if (isWide && textOverflow === 'ellipsis' && [...one.children].some(isBox)) wrong.push('clipped: ' + name);
    // What a list has scrolled out of sight cannot be pointed at.
    else if (isWide && one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)))
      cut.push({ x: (left + right) / 2, y: (top + bottom) / 2, text: one.textContent });
  }
  return { wrong, cut };
})()`;

/** Measures again when something fails: a part that loads late moves what was measured. */
async function expectFits(page: Page): Promise<void> {
  await expect(async () => {
    const { wrong, cut } = await page.evaluate<{ wrong: string[]; cut: Cut[] }>(LOOK);
    expect(wrong, page.url()).toEqual([]);
    for (const { x, y, text } of cut.slice(0, 3)) {
      await page.mouse.move(x, y);
      const title = `document.elementFromPoint(${x}, ${y})?.closest('[title]')?.title ?? ''`;
      await expect.poll(() => page.evaluate(title), { message: `${page.url()}: ${text}`, timeout: 1_000 }).not.toBe('');
    }
  }).toPass({ timeout: 15_000 });
}

/** The lines of the document that are entirely within the editor. */
async function linesInSight(page: Page): Promise<number> {
  const editor = (await editorOf(page).boundingBox()) ?? { y: 0, height: 0 };
  const numbers = await page.locator('.monaco-editor .line-numbers').all();
  const boxes = await Promise.all(numbers.map((one) => one.boundingBox()));
  return boxes.filter((box) => box !== null && box.y >= editor.y && box.y + box.height <= editor.y + editor.height)
    .length;
}

const SIZES = [
  { width: 1440, height: 900, lines: 28 },
  { width: 1024, height: 700, lines: 18 },
  { width: 390, height: 844, lines: 18 },
];

for (const { width, height, lines } of SIZES) {
  test(`at ${width} by ${height} every page fits, and ${lines} lines of a document are visible`, async ({
    page,
    server,
    complaints,
  }) => {
    await page.setViewportSize({ width, height });
    await openSample(page, server.address);
    for (const place of await fill(server.address)) {
      await page.goto(`${server.address}/#${place}`);
      await pageIdle(page, 10);
      await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
      await expectFits(page);
    }
    // The last is a document in its editor.
    await expect(page.getByText('No issues')).toBeVisible();
    // The editor draws its lines a moment after it has its place.
    await expect.poll(() => linesInSight(page)).toBeGreaterThanOrEqual(lines);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
}

for (const { width, height } of SIZES) {
  test(`at ${width} by ${height} every tab fits, and axe finds no violations`, async ({ page, server, complaints }) => {
    test.setTimeout(300_000);
    await page.setViewportSize({ width, height });
    await openSample(page, server.address);
    for (const place of await fillTabs(server)) {
      await page.goto(`${server.address}/#${place}`);
      await pageIdle(page, 10);
      await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
      await expectFits(page);
      await expectAccessible(page);
    }
    expect(complaints).toEqual([]);
  });
}

test('on a phone, the pages are in a menu, lists are cards, and the source and its side panel are tabs', async ({
  page,
  server,
  complaints,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openSample(page, server.address);
  await fill(server.address);
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.click();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Runs' }).focus();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'Runs' })).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.click();
  // Turned to its side, the phone shows the side bar again, and the page beside it can be used.
  await page.setViewportSize({ width: 844, height: 390 });
  await expect(menu).toBeHidden();
  await expect(page.getByRole('main')).toHaveJSProperty('inert', false);
  await page.setViewportSize({ width: 390, height: 844 });
  await menu.click();
  await page.getByRole('link', { name: 'Runs' }).click();
  const card = page.getByRole('row').filter({ hasText: new RegExp(`^${LONG}`) });
  await expect(card).toBeVisible();
  await expectAccessible(page);
  // Turned to its side, the phone shows rows, one right below the other.
  const list = page.getByRole('table', { name: 'Runs' });
  const gap = async (): Promise<number> => {
    const [first, second] = await Promise.all([1, 2].map((row) => list.getByRole('row').nth(row).boundingBox()));
    return Math.abs((second?.y ?? 0) - (first?.y ?? 0) - (first?.height ?? 0));
  };
  await page.setViewportSize({ width: 844, height: 390 });
  await expect.poll(gap).toBeLessThan(1);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(gap).toBeGreaterThan(1);
  await card.click({ position: { x: 300, y: 40 } });
  await expect(page.getByRole('heading', { name: LONG })).toBeVisible();

  await menu.click();
  await page.getByRole('link', { name: 'Definitions' }).click();
  await page.getByRole('link', { name: 'handle-report' }).click();
  await expect(editorOf(page)).toBeVisible();
  const tabs = page.getByRole('radiogroup', { name: 'View' });
  await tabs.getByText('Graph', { exact: true }).click();
  await expect(editorOf(page)).toBeHidden();
  await page.getByRole('group', { name: /^score, call/ }).click();
  await page.getByRole('button', { name: 'Show in the source' }).click();
  await expect(editorOf(page)).toBeVisible();
  await expect(page.locator('.line-numbers.active-line-number')).toHaveText('52');
  await page.getByRole('link', { name: 'Definitions' }).click();
  await expect(page.getByRole('link', { name: 'triage-score' })).toBeVisible();
  expect(complaints).toEqual([]);
});
