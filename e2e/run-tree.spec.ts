import { startServerProcess } from '../server/test/index.ts';
import { BRIEF_SHIFT, writeSettings } from './office.ts';
import { serveModel } from './serve-model.ts';
import { DESK, expect, expectAccessible, makeDesk, send, test } from './studio.ts';
import { typeInto } from './writing.ts';

const LOOP = `document: { dsl: '1.0.3', namespace: desk, name: loop, version: '1.0.0' }
do:
  - brief: { call: reasoning/brief-shift }
  - each:
      for: { in: '\${ $workflow.input.items }' }
      do:
        - weigh: { set: { weight: '\${ $item }' } }
        - keep: { set: { kept: '\${ .weight }' } }
`;

test('model turns, tool calls and many steps of a run are expanded, collapsed and found in its tree', async ({
  page,
  server,
  complaints,
}) => {
  await server.end('SIGTERM');
  const model = await serveModel();
  const environment = writeSettings(server.dataDir, model);
  const again = await startServerProcess(server.dataDir, { environment });
  try {
    await makeDesk(again.address, { 'reasoning/brief-shift': BRIEF_SHIFT, 'workflow/loop': LOOP });
    const { run_id: runId } = await send(again.address, `${DESK}/definitions/workflow/loop/run`, {
      input: { items: Array.from({ length: 300 }, (_none, n) => n) },
    });
    await page.goto(`${again.address}/#${DESK}/runs/${String(runId)}`);
    await expect(page.getByText('Succeeded', { exact: true })).toBeVisible();
    const tree = page.getByRole('treegrid', { name: 'Timeline' });
    const row = (name: RegExp) => tree.getByRole('row', { name });
    for (const name of [/turn 1/, /files\/list_directory/, /turn 2/, /files\/read_text_file/, /turn 3/]) {
      await expect(row(name)).toBeVisible();
    }
    await expect(page.getByText('609 rows')).toBeVisible();
    // Only the visible rows of hundreds are in the page.
    expect(await tree.getByRole('row').count()).toBeLessThan(60);
    await expectAccessible(page);

    await tree.focus();
    await page.keyboard.press('ArrowDown');
    await expect(row(/^brief call/)).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('ArrowLeft');
    await expect(row(/^brief call/)).toHaveAttribute('aria-expanded', 'false');
    await expect(row(/turn 1/)).toBeHidden();
    await page.keyboard.press('End');
    await expect(row(/^keep/).last()).toHaveAttribute('aria-rowindex', '603');

    await typeInto(page.getByRole('textbox', { name: 'Find a step' }), 'read_text');
    await expect(tree).toHaveAttribute('aria-rowcount', '4');
    await expect(page).toHaveURL(/find=read_text/);
    await page.getByText('Failed', { exact: true }).click();
    await expect(page.getByText('No matching steps.')).toBeVisible();
    await page.getByRole('button', { name: 'Show all steps' }).click();

    await page.getByRole('tab', { name: 'History' }).click();
    await typeInto(page.getByRole('textbox', { name: 'Find an event' }), 'tool_call_answered');
    await expect(page.getByRole('table', { name: 'History' })).toHaveAttribute('aria-rowcount', '3');
    await expectAccessible(page);

    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('link', { name: 'brief-shift', exact: true }).click();
    await expect(page.getByRole('link', { name: 'a run of workflow/loop' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Model turns and tool calls' })).toContainText(
      'files/read_text_file',
    );
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  } finally {
    await again.end('SIGTERM');
    await model.close();
  }
});
