// What belongs to no single place: playbooks, their archives, the palette, notifications, and a service that is away.
import type { Page } from 'playwright-core';
import { writeArchive } from '../../../server/lib/playbook-files/index.ts';
import { DESK, DESK_SOURCES } from '../make-desk.ts';
import { AT_DESK, inOrder, type MainPicture, openNavigation, press, SAMPLE } from './picture.ts';

interface ArchivedDefinition {
  type: 'computation';
  name: string;
  source: string;
}

const QUOTE = { type: 'computation', name: 'quote', source: DESK_SOURCES['computation/quote'] } as const;
const CHANGED = { ...QUOTE, source: QUOTE.source.replace('hours * 80', 'hours * 90') };
const NEW = { type: 'computation', name: 'discount', source: 'export default ({ price }) => price * 0.9;\n' } as const;
const WRONG = { ...NEW, source: 'export const input = ;\nexport default () => 2;\n' };
const RETIRED = { type: 'computation', name: 'old-price', source: 'export default () => 50;\n' } as const;

export function generalPictures(): MainPicture[] {
  return [
    { name: 'new-playbook', path: '/', act: press('New playbook') },
    { name: 'navigation', path: SAMPLE, act: openNavigation },
    { name: 'playbook-menu', path: SAMPLE, act: inOrder(openNavigation, press('Wildlife strikes')) },
    { name: 'import', path: '/?import=true' },
    { name: 'import-plan-new', path: '/?import=true', act: (page) => choose(page, [QUOTE, NEW], 'second-desk') },
    { name: 'import-plan-changes', path: `${AT_DESK}?import=true`, act: (page) => choose(page, [CHANGED, NEW]) },
    { name: 'import-unchanged', path: `${AT_DESK}?import=true`, act: (page) => choose(page, [QUOTE]) },
    { name: 'import-faults', path: `${AT_DESK}?import=true`, act: (page) => choose(page, [WRONG]) },
    { name: 'import-refused', path: `${AT_DESK}?import=true`, act: (page) => choose(page, [RETIRED]) },
    {
      name: 'notification-of-a-failure',
      path: SAMPLE,
      async act(page) {
        await page.route('**/archive', (route) => route.abort());
        await openNavigation(page);
        await press('Wildlife strikes')(page);
        await page.getByRole('menuitem', { name: 'Export this playbook' }).click();
        await page.getByText('was not exported').waitFor();
      },
    },
    {
      name: 'notification-of-a-copy',
      path: `${SAMPLE}/inbox`,
      act: inOrder(press('Copy as'), (page) => page.getByRole('menuitem').first().click()),
    },
    { name: 'copy-as', path: `${SAMPLE}/inbox`, act: press('Copy as') },
    {
      name: 'palette',
      path: SAMPLE,
      act: (page) => search(page, 'report'),
    },
    { name: 'palette-without-results', path: SAMPLE, act: (page) => search(page, 'zebra crossing') },
    { name: 'keys', path: SAMPLE, act: (page) => page.keyboard.press('?') },
    {
      name: 'agents-tested',
      path: `${SAMPLE}/agents`,
      act: inOrder(press('Test'), (page) => page.getByText(/^Connected: /).waitFor()),
    },
    {
      name: 'first-steps',
      path: SAMPLE,
      async act(page) {
        await page.addInitScript("localStorage.removeItem('cuebook first steps wildlife-strikes')");
        await page.reload();
        await page.getByRole('region', { name: 'First steps' }).waitFor();
      },
    },
    {
      name: 'service-lost',
      path: `${SAMPLE}/runs`,
      async act(page) {
        await page.route('**/events/follow*', (route) => route.abort());
        await page.reload();
        await page.getByText('Connection lost. Reconnecting…').first().waitFor();
      },
    },
    {
      name: 'service-away',
      path: `${SAMPLE}/runs`,
      async act(page) {
        await page.route('**/v1/**', (route) => route.abort());
        await page.reload();
        await page
          .getByText(/not responding|Connection lost/)
          .first()
          .waitFor();
      },
    },
  ];
}

/** Chooses an archive of these definitions in the dialog of an import. */
async function choose(page: Page, definitions: readonly ArchivedDefinition[], playbook = DESK): Promise<void> {
  const manifest = { playbook, name: 'Repair desk', description: 'Repairs what comes in.' };
  const buffer = Buffer.from(await writeArchive(manifest, definitions));
  const file = { name: `${playbook}.zip`, mimeType: 'application/zip', buffer };
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type="file"]').setInputFiles(file);
  await dialog
    .getByRole('status')
    .filter({ hasText: /^Creates|^Changes|already contains|cannot be imported/ })
    .or(dialog.getByText('The archive was refused'))
    .first()
    .waitFor();
}

async function search(page: Page, words: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByPlaceholder('Search pages').fill(words);
}
