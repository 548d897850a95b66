// A workflow edited in its graph: each edit is a small change of the source, in one history with what is typed.
import type { Page } from '@playwright/test';
import { DESK, editorOf, expect, expectAccessible, makeDesk, send, test } from './studio.ts';
import { sourceOf, stepOf, toolOf, typeInto } from './writing.ts';

const CHARGE = 'export default (input) => ({ charged: input.sum });\n';
const ORDER = `# How an order is handled.
document: { dsl: '1.0.3', namespace: desk, name: order, version: '1.0.0' }
do:
  # First the price.
  - price:
      set: { sum: 42 } # in EUR
  - pause:
      wait: PT0S

  # Then each parcel.
  - each:
      for: { in: '[7, 8]' }
      do:
        - weigh:
            set: { weight: '\${ $item }' }
  - part:
      set: { done: true }
`;

async function openOrder(page: Page, address: string, source = ORDER): Promise<void> {
  await makeDesk(address, { 'computation/charge': CHARGE, 'workflow/order': source });
  await page.goto(`${address}/#${DESK}/definitions/workflow/order`);
  await expect(stepOf(page, 'price')).toBeVisible();
  await expect(editorOf(page)).toContainText('How an order');
}

/** A step of the graph. */
const chosen = (page: Page) => page.locator('.react-flow__node:has([data-marked])');
const activeLine = (page: Page) => page.locator('.line-numbers.active-line-number');

/** The names of the steps in the source, in order. */
async function stepsIn(page: Page): Promise<string[]> {
  return [...(await sourceOf(page)).matchAll(/^ *- ([\w-]+):/gm)].map(([, name]) => name ?? '');
}

test('a step is chosen in the graph and in the source, each following the other', async ({
  page,
  server,
  complaints,
}) => {
  await openOrder(page, server.address);
  await stepOf(page, 'each').click({ position: { x: 12, y: 12 } });
  await expect(activeLine(page)).toHaveText('11');
  await expect(chosen(page)).toHaveAccessibleName(/^each, /);
  // The focus stays in the graph, and the arrow keys move along.
  await page.keyboard.press('ArrowDown');
  await expect(activeLine(page)).toHaveText('14');
  await expect(chosen(page)).toHaveAccessibleName(/^weigh, /);
  await editorOf(page).getByText('part', { exact: true }).click();
  await expect(chosen(page)).toHaveAccessibleName(/^part, /);
  await toolOf(page, 'Show in the source').click();
  await page.keyboard.type('# typed\n');
  await expect(editorOf(page)).toContainText('# typed');
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('steps are moved, duplicated and deleted with the tools and with keys, and undone with what is typed', async ({
  page,
  server,
  complaints,
}) => {
  await openOrder(page, server.address);
  await stepOf(page, 'price').click();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(activeLine(page)).toHaveText('8');
  // Before and after the graph is drawn again, the step has the focus.
  await page.keyboard.press('Alt+ArrowDown');
  await expect(stepOf(page, 'price')).toBeFocused();
  await page.keyboard.press('Control+d');
  await expect(stepOf(page, 'price-2')).toBeFocused();
  await expect(chosen(page)).toHaveAccessibleName(/^price-2, /);
  await toolOf(page, 'Move up').click();
  await stepOf(page, 'pause').click();
  await page.keyboard.press('Delete');
  await expect(page.getByRole('status').filter({ hasText: 'Deleted pause.' })).toBeVisible();
  await expect(stepOf(page, 'pause')).toHaveCount(0);
  await expect(chosen(page)).toBeFocused();
  await expectAccessible(page);
  const edited = await sourceOf(page);
  expect(edited).toContain('  # First the price.\n  - price:\n      set: { sum: 42 } # in EUR\n');
  expect(edited).toContain('# Then each parcel.\n  - each:');
  expect(await stepsIn(page)).toEqual(['each', 'weigh', 'price-2', 'price', 'part']);

  // One history: the deleted step, a typed word, the other edits.
  await page.keyboard.press('Control+End');
  await page.keyboard.type('#end');
  await expect(editorOf(page)).toContainText('#end');
  // The text has changed since the step was deleted: its own Undo is gone.
  await expect(toolOf(page, 'Undo')).toHaveCount(1);
  await toolOf(page, 'Undo').click();
  expect(await sourceOf(page)).toBe(edited);
  await page.keyboard.press('Control+z');
  expect(await stepsIn(page)).toEqual(['pause', 'each', 'weigh', 'price-2', 'price', 'part']);
  await stepOf(page, 'each').click({ position: { x: 12, y: 12 } });
  for (let left = 4; left > 0; left -= 1) await page.keyboard.press('Control+z');
  await expect.poll(() => sourceOf(page)).toBe(ORDER);
  await toolOf(page, 'Undo').click();
  await expect(page.getByRole('status').filter({ hasText: 'nothing to undo' })).toBeVisible();
  await stepOf(page, 'part').click();
  await page.keyboard.press('Control+y');
  await expect.poll(() => stepsIn(page)).toEqual(['pause', 'price', 'each', 'weigh', 'part']);
  expect(complaints).toEqual([]);
});

test('a step that is clicked before the graph of the last edit is drawn keeps the focus', async ({
  page,
  server,
  complaints,
}) => {
  await openOrder(page, server.address);
  const held: (() => void)[] = [];
  await page.route('**/definitions/*/check', async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await stepOf(page, 'price').click();
  await page.keyboard.press('Delete');
  await expect.poll(() => held.length).toBe(1);
  // The drawn graph still has the deleted step, and the others at their old places.
  await stepOf(page, 'each').click({ position: { x: 12, y: 12 } });
  for (const release of held) release();
  await expect(stepOf(page, 'price')).toHaveCount(0);
  await expect(stepOf(page, 'each')).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect.poll(() => held.length).toBe(2);
  held[1]?.();
  await expect(stepOf(page, 'price')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a step is inserted at a place of the graph, and filled in with its form', async ({
  page,
  server,
  complaints,
}) => {
  await openOrder(page, server.address);
  await toolOf(page, 'Insert a step after pause').click();
  const chooser = page.getByRole('dialog', { name: 'Insert a step after pause' });
  await expect(chooser.getByRole('option', { name: /^switch/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.type('charge');
  await page.keyboard.press('Enter');
  await expect(stepOf(page, 'charge')).toBeFocused();
  expect(await sourceOf(page)).toContain('- charge:\n      call: computation/charge\n');

  // By keyboard: insert beside the chosen step, then its form.
  await stepOf(page, 'weigh').click();
  await page.keyboard.press('Insert');
  await expect(page.getByLabel('Find a type of step or a definition')).toBeFocused();
  await page.keyboard.type('wait for a time');
  await page.keyboard.press('Enter');
  await expect(stepOf(page, 'pause').nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  const form = page.getByRole('region', { name: /^Fields of / });
  const field = (name: string) => form.getByLabel(name, { exact: true });
  await expect(field('Name')).toBeFocused();
  await typeInto(field('Name'), 'rest');
  await page.keyboard.press('Tab');
  await expect(field('Wait')).toBeFocused();
  await typeInto(field('Wait'), 'PT0S');
  await typeInto(field('If'), '$item > 7');
  await page.keyboard.press('Enter');
  await field('Then').selectOption('exit');
  await expect(stepOf(page, 'rest')).toBeVisible();
  await expectAccessible(page);
  // The form leaves little of the graph: the step is chosen by key, and comes into view.
  await stepOf(page, 'charge').focus();
  await page.keyboard.press('Enter');
  await expect(stepOf(page, 'charge')).toBeInViewport();
  await expect(field('Calls')).toHaveValue('computation/charge');
  await typeInto(field('With (JSON)'), '{ "sum": ');
  await typeInto(field('Output as'), '.charged');
  await expect(form.getByText('This is not valid JSON')).toBeVisible();
  await typeInto(field('With (JSON)'), '{ "sum": 42 }');
  // What was typed last is saved, too.
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible();
  const edited = await sourceOf(page);
  expect(edited).toContain('        - rest:\n            wait: PT0S\n');
  expect(edited).toMatch(/if: ['"]?\$item > 7['"]?\n +then: exit\n/);
  expect(edited).toMatch(/call: computation\/charge\n +output:\n +as: \.charged\n +with:\s/);
  for (const comment of ['# How an order', '# First the price.', '# in EUR', '# Then each parcel.']) {
    expect(edited).toContain(comment);
  }
  await expect(page.getByText('No issues')).toBeVisible();

  // A name that is taken is refused, and the field shows the name again.
  await stepOf(page, 'charge').focus();
  await page.keyboard.press('Enter');
  await typeInto(field('Name'), 'part');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'named part' })).toBeVisible();
  await expect(field('Name')).toHaveValue('charge');
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);
  await expect(stepOf(page, 'charge')).toBeFocused();
  expect(complaints).toEqual([]);
});

test('keys that follow the one that inserts a step go to its chooser', async ({ page, server, complaints }) => {
  await openOrder(page, server.address);
  await stepOf(page, 'pause').click();
  const before = await page.locator('html').getAttribute('data-mantine-color-scheme');
  // No key can be between the two: the field has the focus when the key has been handled.
  const focused = await page.evaluate<string | null>(`{
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true, cancelable: true }));
    document.activeElement.getAttribute('aria-label');
  }`);
  expect(focused).toBe('Find a type of step or a definition');
  // `t` would change the colours, and Delete the step.
  await page.keyboard.type('ct');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Delete');
  await expect(page.getByLabel('Find a type of step or a definition')).toHaveValue('c');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(stepOf(page, 'pause')).toBeFocused();
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe(before);
  expect(await sourceOf(page)).toBe(ORDER);
  expect(complaints).toEqual([]);
});

test('a list without steps has a place for a step, also after its last step is deleted', async ({
  page,
  server,
  complaints,
}) => {
  const attempt = '  - attempt:\n      try:\n        - ask: { wait: PT0S }\n      catch: { as: problem } # all\n';
  await openOrder(page, server.address, ORDER + attempt);
  await stepOf(page, 'weigh').click();
  await page.keyboard.press('Delete');
  const intoEach = toolOf(page, 'Insert a step into each');
  await expect(intoEach).toBeVisible();
  // The focus stays in the graph, and Tab leads to the place.
  await expect(stepOf(page, 'each')).toBeFocused();
  await expectAccessible(page);
  expect(await sourceOf(page)).toContain("      for: { in: '[7, 8]' }\n      do: []\n");
  await intoEach.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('wait for a time');
  await page.keyboard.press('Enter');
  await expect(stepOf(page, 'pause').nth(1)).toBeFocused();
  await expect(intoEach).toHaveCount(0);
  expect(await sourceOf(page)).toContain('      do:\n        - pause:\n            wait: PT5S\n  - part:');

  await toolOf(page, 'Insert a step into the catch of attempt').click();
  await page.keyboard.type('set the output');
  await page.keyboard.press('Enter');
  await expect(stepOf(page, 'set')).toBeFocused();
  await expect(page.getByText('No issues')).toBeVisible();
  expect(await sourceOf(page)).toContain(
    '      catch: { as: problem, do: [ { set: { set: { value: 1 } } } ] } # all\n',
  );
  // One undo takes the step and its list away.
  await toolOf(page, 'Undo').click();
  await toolOf(page, 'Undo').click();
  await toolOf(page, 'Undo').click();
  expect(await sourceOf(page)).toBe(ORDER + attempt);

  await drag(page, 'part', 'Insert a step into the catch of attempt');
  await expect
    .poll(() => sourceOf(page))
    .toContain('      catch: { as: problem, do: [ { part: { set: { done: true } } } ] } # all\n');
  expect(complaints).toEqual([]);
});

/** Drags with the mouse, in steps, as a hand does. */
async function drag(page: Page, name: string, to: string): Promise<void> {
  const [from, target] = await Promise.all([stepOf(page, name).boundingBox(), toolOf(page, to).boundingBox()]);
  if (from === null || target === null) throw new Error(`${name} or ${to} is not on the page.`);
  await page.mouse.move(from.x + 20, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(target.x + 40, target.y - 20, { steps: 8 });
  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 4 });
  await expect(page.locator('.insert-point[data-target]')).toHaveCount(1);
  await page.mouse.up();
}

test('a step is dragged to another place of its list and into another list', async ({ page, server, complaints }) => {
  await openOrder(page, server.address);
  await drag(page, 'part', 'Insert a step after price');
  await expect(stepOf(page, 'part')).toBeVisible();
  await expect.poll(() => stepsIn(page)).toEqual(['price', 'part', 'pause', 'each', 'weigh']);
  // The graph is drawn again.
  const topOf = async (name: string) => (await stepOf(page, name).boundingBox())?.y ?? 0;
  await expect.poll(async () => (await topOf('part')) < (await topOf('pause'))).toBe(true);
  await drag(page, 'pause', 'Insert a step before weigh');
  await expect.poll(() => stepsIn(page)).toEqual(['price', 'part', 'each', 'pause', 'weigh']);
  await toolOf(page, 'Undo').click();
  await toolOf(page, 'Undo').click();
  expect(await sourceOf(page)).toBe(ORDER);
  expect(complaints).toEqual([]);
});

test('a workflow of 2,000 steps is drawn, and edited in its graph', async ({ page, server, complaints }) => {
  const steps = Array.from({ length: 2_000 }, (_, index) => `  - s${index}:\n      wait: PT1S\n`).join('');
  await makeDesk(server.address);
  const source = `${ORDER.slice(ORDER.indexOf('document'), ORDER.indexOf('do:'))}do:\n${steps}`;
  await send(server.address, `${DESK}/definitions/workflow`, { name: 'order', source });
  await page.goto(`${server.address}/#${DESK}/definitions/workflow/order`);
  await stepOf(page, 's2').click();
  await page.keyboard.press('Control+d');
  await expect(stepOf(page, 's2-2')).toBeFocused();
  // Only what is in view is drawn.
  expect(await page.locator('.react-flow__node').count()).toBeLessThan(100);
  expect(await page.locator('.insert-point').count()).toBeLessThan(100);
  await toolOf(page, 'Insert a step after s3').click();
  await page.keyboard.type('set the output');
  await page.keyboard.press('Enter');
  await expect(stepOf(page, 'set')).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(stepOf(page, 'set')).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test('while the source cannot be read, edits are refused with the reason', async ({ page, server, complaints }) => {
  await openOrder(page, server.address);
  await editorOf(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('a: [\n');
  await expect(page.getByText('Last version without issues')).toBeVisible();
  const broken = await sourceOf(page);
  await stepOf(page, 'price').click();
  await page.keyboard.press('Delete');
  await expect(page.getByRole('status').filter({ hasText: 'not valid YAML' })).toBeVisible();
  expect(await sourceOf(page)).toBe(broken);
  await expect(async () => {
    await toolOf(page, 'Undo').click();
    expect(await sourceOf(page)).toBe(ORDER);
  }).toPass();
  await expect(page.getByText('No issues')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('on a phone the graph, its tools and the form fit, and the source is a tool away', async ({
  page,
  server,
  complaints,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await makeDesk(server.address, { 'workflow/order': ORDER });
  await page.goto(`${server.address}/#${DESK}/definitions/workflow/order`);
  await expect(page.getByText('No issues')).toBeVisible();
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Graph', { exact: true }).click();
  // The graph was drawn while its tab was hidden.
  await expect(stepOf(page, 'price')).toBeInViewport({ ratio: 1 });
  await stepOf(page, 'price').click();
  await toolOf(page, 'Move down').click();
  await toolOf(page, 'Edit').click();
  await expect(page.getByRole('region', { name: 'Fields of price' })).toBeInViewport();
  await expect(stepOf(page, 'price')).toBeInViewport();
  await expectAccessible(page);
  await toolOf(page, 'Show in the source').click();
  await expect(editorOf(page)).toBeVisible();
  await expect.poll(() => stepsIn(page)).toEqual(['pause', 'price', 'each', 'weigh', 'part']);
  expect(complaints).toEqual([]);
});
