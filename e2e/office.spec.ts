import { startServerProcess, temporaryFolder } from '../server/test/index.ts';
import { AT, PLAYBOOK, workInOffice, writeSettings } from './office.ts';
import { arePicturesWanted, settled, takePicture } from './pictures.ts';
import { serveModel } from './serve-model.ts';
import { expect, send, test } from './studio.ts';

const DESK = `/playbooks/${PLAYBOOK}`;
/** The pictures of the documentation show a month of work at two sizes. */
const DAYS = arePicturesWanted ? 30 : 0;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
].slice(0, arePicturesWanted ? 2 : 1);
const WEATHER = {
  name: 'weather',
  kind: 'openapi',
  entry: { document: 'https://api.weather.gov/openapi.json', base_url: 'https://api.weather.gov' },
  credential: { kind: 'secret', name: 'x-api-key', in: 'header' },
};

/** The id of the latest run of a definition that is in progress. */
async function waitingRun(address: string, name: string): Promise<string> {
  let found = '';
  await expect
    .poll(async () => {
      const response = await fetch(`${address}${AT}/runs?name=${name}&status=started&limit=1`);
      const { runs } = (await response.json()) as { runs: { run_id: string }[] };
      found = runs[0]?.run_id ?? '';
      return found;
    })
    .not.toBe('');
  return found;
}

test('every page shows the work of an office', async ({ page, complaints }) => {
  test.setTimeout(600_000);
  const folder = temporaryFolder();
  const model = await serveModel();
  const environment = writeSettings(folder.path, model);
  await workInOffice(environment, model, DAYS);
  const server = await startServerProcess(folder.path, { environment });
  const { address } = server;
  try {
    model.answerAgain();
    const { connect } = (await send(address, '/connections', WEATHER)) as { connect: { url: string } };
    const pages: Readonly<Record<string, readonly [path: string, heading: string]>> = {
      playbooks: ['/', 'Playbooks'],
      home: [DESK, 'Wildlife strikes'],
      definitions: [`${DESK}/definitions`, 'Choose a definition'],
      workflow: [`${DESK}/definitions/workflow/handle-report`, 'handle-report'],
      runs: [`${DESK}/runs`, 'Runs'],
      'run-that-waits': [`${DESK}/runs/${await waitingRun(address, 'handle-report')}`, 'handle-report'],
      inbox: [`${DESK}/inbox`, 'Inbox'],
      request: [
        `${DESK}/inbox/${await waitingRun(address, 'approve-inspection')}`,
        'approve-inspection asks duty-manager',
      ],
      events: [`${DESK}/events`, 'Events'],
      tools: [`${DESK}/tools`, 'Tools'],
      models: [`${DESK}/models`, 'Models'],
      connections: [`${DESK}/connections`, 'Connections'],
      connect: [`/connect${new URL(connect.url).search}`, 'weather'],
      'agents-other': [`${DESK}/agents?client=other`, 'Connect an agent'],
    };
    // The first steps are dismissed, as by someone who has used it for a month.
    await page.addInitScript(`localStorage.setItem('cuebook first steps ${PLAYBOOK}', 'true')`);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const [name, [path, heading]] of Object.entries(pages)) {
        await page.goto(`${address}/#${path}`);
        await expect(page.locator('main h1:visible')).toContainText(heading);
        await settled(page);
        for (const scheme of ['light', 'dark'] as const) await takePicture(page, name, scheme);
      }
    }
    expect(complaints).toEqual([]);
  } finally {
    await server.end('SIGTERM');
    await model.close();
    folder.remove();
  }
});
