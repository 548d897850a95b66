import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { serveLoopback, type ServerProcess, startServerProcess } from '../server/test/index.ts';
import { DESK, expect, expectAccessible, goTo, makeDesk, openRow, send, sendRefused, test } from './studio.ts';

const PICKY = `export const input = { type: 'object', required: ['a'] };\nexport default () => 1;`;
const SAY = '---\nmodel: silent/m\n---\nSay something.\n';

const BROKEN = 'export default () => { throw new Error("no"); };';

/** A run is failed where it broke off: here the service dies while a model lets it wait. */
async function givenFailedRun(dataDir: string): Promise<ServerProcess> {
  const asked = Promise.withResolvers<void>();
  const model = await serveLoopback(({ method }) => {
    if (method === 'POST') asked.resolve();
  });
  try {
    const config = { model_gateways: [{ name: 'silent', base_url: model.address }] };
    writeFileSync(path.join(dataDir, 'cuebook.yaml'), JSON.stringify(config));
    const dying = await startServerProcess(dataDir);
    await makeDesk(dying.address, { 'computation/picky': PICKY });
    await send(dying.address, `${DESK}/definitions/computation/picky/run`, { input: { a: 1 } });
    await sendRefused(dying.address, `${DESK}/definitions/computation/picky/run`, { input: {} });
    await send(dying.address, `${DESK}/definitions/computation`, { name: 'broken', source: BROKEN });
    await sendRefused(dying.address, `${DESK}/definitions/computation/broken/run`, {});
    await send(dying.address, `${DESK}/definitions/reasoning`, { name: 'say', source: SAY });
    send(dying.address, `${DESK}/definitions/reasoning/say/run`, {}).catch(() => {});
    await asked.promise;
    await dying.end('SIGKILL');
  } finally {
    await model.close();
  }
  return startServerProcess(dataDir);
}

test('a failed run is found from the chart, by mouse and by keyboard', async ({ page, server, complaints }) => {
  await server.end('SIGTERM');
  const again = await givenFailedRun(server.dataDir);
  try {
    await page.goto(`${again.address}/#${DESK}`);
    // The newest day's bar of failed runs, by its place in the chart.
    await page.locator('.day-chart-bar[data-series="failed"]').last().click();
    await expect(page).toHaveURL(/status=failed/);
    await expect(page).toHaveURL(/day=\d{4}-\d\d-\d\d/);
    await openRow(page.getByRole('row').filter({ hasText: /^say/ }));
    await expect(page.getByText('Failed', { exact: true }).first()).toBeVisible();

    await goTo(page, 'h');
    await expect(page.locator('.day-chart-legend > span')).toHaveText([
      'Succeeded',
      'Invalid input',
      'Program error',
      'Failed',
    ]);
    await page.locator('.day-chart-bar[data-series="invalid_input"]').last().click();
    await expect(
      page
        .getByRole('table', { name: 'Runs' })
        .getByRole('row')
        .filter({ hasText: /^picky.*Rejected: invalid input/ }),
    ).toBeVisible();
    await expect(
      page
        .getByRole('table', { name: 'Runs' })
        .getByRole('row')
        .filter({ hasText: /^broken/ }),
    ).toHaveCount(0);
    await page.getByRole('button', { name: 'Any cause' }).click();
    await expect(
      page
        .getByRole('table', { name: 'Runs' })
        .getByRole('row')
        .filter({ hasText: /^broken/ }),
    ).toBeVisible();

    await goTo(page, 'h');
    await page.getByText('As a table').focus();
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await page.getByRole('link', { name: /^1 failed on / }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/status=failed/);
    await expect(page.getByRole('table', { name: 'Runs' }).getByRole('link', { name: 'say' })).toBeVisible();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'say' })).toBeVisible();
    await expectAccessible(page);

    for (const measure of ['tokens', 'duration']) {
      await page.goto(`${again.address}/#${DESK}?show=${measure}&type=reasoning`);
      await expect(page.locator('.day-chart-legend > span')).toHaveCount(2);
      await expectAccessible(page);
    }
    expect(complaints).toEqual([]);
  } finally {
    await again.end('SIGTERM');
  }
});
