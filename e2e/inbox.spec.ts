import type { Page } from '@playwright/test';
import { expect, expectAccessible, goTo, openRow, openSample, send, test } from './studio.ts';
import { typeInto } from './writing.ts';

test.use({ hasSample: true });

const DESK = '/playbooks/wildlife-strikes';
const APPROVE = `${DESK}/definitions/interaction/approve-inspection/run`;

async function ask(address: string, report: string, manager = 'duty-manager'): Promise<string> {
  const { run_id: runId } = await send(address, APPROVE, { input: { report, priority: 'P1', manager } });
  return String(runId);
}

const inboxOf = (page: Page) => page.getByRole('table', { name: 'Open requests' });
const answerOf = (page: Page) => page.getByRole('region', { name: 'Answer', exact: true });

test('a workflow is started, answered in the inbox and followed to its end', async ({ page, server, complaints }) => {
  await openSample(page, server.address);
  await page.getByRole('link', { name: 'Inbox' }).first().click();
  await expect(page.getByText('No open questions')).toBeVisible();
  await expectAccessible(page);

  await page.goto(`${server.address}/#${DESK}/definitions/workflow/inspect-aircraft?tab=run`);
  await typeInto(page.getByRole('textbox', { name: 'id', exact: true }), 'WS-7');
  await page.getByRole('button', { name: /^Run/ }).click();
  await page.getByRole('link', { name: 'Open the run' }).click();
  await expect(page.getByRole('group', { name: /^approve,.* waiting/ })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Inbox 1 waiting' })).toBeVisible();

  await page.getByRole('link', { name: 'Answer', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'approve-inspection asks duty-manager' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('Report WS-7 is ranked P1.');
  await expect(page.getByRole('region', { name: 'Input' })).toContainText('WS-7');
  await answerOf(page)
    .getByRole('button', { name: /^Answer/ })
    .click();
  await expect(answerOf(page).getByRole('alert')).toContainText('is missing the required field approved');
  await answerOf(page).getByRole('button', { name: 'Yes' }).click();
  await typeInto(answerOf(page).getByRole('textbox', { name: 'note' }), 'Look at the left engine.');
  await expectAccessible(page);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Answered' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to the inbox' })).toBeFocused();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Open the calling run' }).click();
  await expect(page.getByRole('row', { name: /conclude.*finished/ })).toBeVisible();
  await expect(page.getByRole('group', { name: /^conclude,.* finished/ })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Inbox', exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByRole('table', { name: 'History' })).toContainText('run_succeeded');
  await page.getByRole('tab', { name: 'Input and output' }).click();
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('Look at the left engine.');
  expect(complaints).toEqual([]);
});

test('if someone else answers first, the page says so and keeps the draft over reloads until it is discarded', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  const runId = await ask(server.address, 'WS-1');
  // What the page does not hear of, it learns from the refusal.
  await page.route('**/events/follow**', (route) => route.abort());
  await page.goto(`${server.address}/#${DESK}/inbox/${runId}`);
  await page.reload();
  await answerOf(page).getByRole('button', { name: 'No' }).click();
  await typeInto(answerOf(page).getByRole('textbox', { name: 'note' }), 'Not needed.');
  await page.reload();
  await expect(answerOf(page).getByRole('button', { name: 'No' })).toHaveAttribute('aria-pressed', 'true');
  await answerOf(page).getByText('JSON', { exact: true }).click();
  await expect(answerOf(page).getByRole('textbox', { name: 'Answer as JSON' })).toHaveValue(/"note": "Not needed."/);

  await send(server.address, `${DESK}/runs/${runId}/answer`, { answer: { approved: true }, claimed_for: 'ada' });
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Someone else answered first' })).toContainText(
    'By developer, for ada',
  );
  await expect(page.getByRole('region', { name: 'The answer' })).toContainText('approvedyes');
  await expect(page.getByRole('region', { name: 'Your draft' })).toContainText('Not needed.');
  await expectAccessible(page);
  await page.unroute('**/events/follow**');
  await page.reload();
  await expect(page.getByRole('region', { name: 'Your draft' })).toContainText('Not needed.');
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await expect(page.getByRole('region', { name: 'Your draft' })).toBeHidden();

  // With the stream, an open form learns of it by itself; a cancel, too.
  const cancelled = await ask(server.address, 'WS-2');
  await page.goto(`${server.address}/#${DESK}/inbox/${cancelled}`);
  await answerOf(page).getByRole('button', { name: 'Yes' }).click();
  await send(server.address, `${DESK}/runs/${cancelled}/cancel`, { reason: 'Asked twice.' });
  await expect(page.getByText('The run was cancelled')).toBeVisible();
  await expect(page.getByText('Asked twice.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your draft' })).toContainText('"approved": true');

  // One's own answer is no race that was lost, also where the word that it was taken is lost on its way.
  const mine = await ask(server.address, 'WS-4');
  await page.goto(`${server.address}/#${DESK}/inbox/${mine}`);
  await page.route('**/answer', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await answerOf(page).getByRole('button', { name: 'No' }).click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Answered' })).toContainText('By developer');
  await expect(page.getByText('Someone else answered first')).toBeHidden();
  await expect(page.getByRole('region', { name: 'Your draft' })).toBeHidden();
  await page.unroute('**/answer');

  // Questions without an answer have a list of their own, with the reason.
  await page.goto(`${server.address}/#${DESK}/inbox`);
  await page.getByText('Unanswered', { exact: true }).click();
  await expect(page).toHaveURL(/show=unanswered/);
  const unanswered = page.getByRole('table', { name: 'Unanswered requests' });
  await expect(unanswered.getByRole('row', { name: /WS-2.*duty-manager.*Cancelled.*Asked twice/ })).toBeVisible();
  await expect(unanswered.getByRole('link')).toHaveCount(1);
  await expectAccessible(page);

  // So does the end of its playbook.
  const left = await ask(server.address, 'WS-3');
  await page.goto(`${server.address}/#${DESK}/inbox/${left}`);
  await answerOf(page).getByRole('button', { name: 'No' }).click();
  await send(server.address, `${DESK}/retire`, {});
  await expect(page.getByText('The playbook wildlife-strikes was retired.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your draft' })).toContainText('"approved": false');
  expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
});

test('by keyboard alone, a question is opened, skipped and answered, and the list is updated', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  await ask(server.address, 'WS-1');
  await ask(server.address, 'WS-2', 'ada');
  await ask(server.address, 'WS-3');
  await goTo(page, 'i');
  await expect(inboxOf(page).getByRole('link')).toHaveCount(3);
  await expectAccessible(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('WS-3');
  await page.keyboard.press('l');
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('WS-2');
  await answerOf(page).getByRole('button', { name: 'Yes' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Gladly.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('link', { name: 'Next question' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('WS-1');
  await page.keyboard.press('l');
  await expect(inboxOf(page).getByRole('link')).toHaveCount(2);

  // The address holds which list is shown, and who I am narrows it.
  await page.getByText('Answered', { exact: true }).click();
  await expect(page).toHaveURL(/show=answered/);
  await expect(page.getByRole('row', { name: /WS-2.*Gladly/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByText('Open', { exact: true }).click();
  await page.getByRole('button', { name: 'Who am I?' }).click();
  await typeInto(page.getByRole('combobox', { name: 'My parties' }), 'ada');
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByText('Nothing is waiting for you')).toBeVisible();
  const own = await ask(server.address, 'WS-4', 'ada');
  await expect(inboxOf(page).getByRole('link')).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Inbox 1 waiting' })).toBeVisible();
  await page.getByText('For everyone').click();
  await expect(page).toHaveURL(/party=all/);
  await expect(inboxOf(page).getByRole('link')).toHaveCount(3);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('textbox', { name: 'Search' })).toBeFocused();
  await page.keyboard.type('WS-4');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(own));
  await answerOf(page).getByRole('button', { name: 'No' }).click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('status').filter({ hasText: 'By developer, for ada' })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('notices are marked as read, and system notifications can be turned on and open the request', async ({
  page,
  server,
  complaints,
}) => {
  // Chromium's headless shell denies notifications whatever is granted.
  await page.addInitScript(`{
    const shown = [];
    class Seen extends Notification {
      static permission = 'default';
      static async requestPermission() {
        Seen.permission = 'granted';
        return Seen.permission;
      }
      constructor(title, options) {
        super(title, options);
        shown.push(this);
      }
    }
    Object.assign(globalThis, { shown, Notification: Seen });
  }`);
  await openSample(page, server.address);
  const source = JSON.stringify({ tell: { to: '{{ input.to }}', message: 'The canary is {{ input.how }}.' } });
  await send(server.address, `${DESK}/definitions/interaction`, { name: 'say-how', source });
  const tell = (how: string) =>
    send(server.address, `${DESK}/definitions/interaction/say-how/run`, { input: { to: 'ada', how } });
  await tell('fine');
  await ask(server.address, 'WS-1');
  await page.goto(`${server.address}/#${DESK}/inbox?show=notices`);
  const notices = page.getByRole('table', { name: 'Notices' });
  await expect(notices.getByRole('link')).toHaveText(['The canary is fine.']);
  await tell('tired');
  await expect(page.getByRole('status').filter({ hasText: '2 unread' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Inbox 2 unread ?1 waiting$/ })).toBeVisible();
  await expectAccessible(page);
  await openRow(notices.getByRole('row', { name: /The canary is tired/ }));
  await expect(page.getByText('No answer is needed.')).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await page.getByRole('link', { name: 'Inbox' }).last().click();
  await page.getByText('Notices', { exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: '1 unread' })).toBeVisible();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByText('All read')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Inbox 1 waiting' })).toBeVisible();

  const titles = () => page.evaluate('shown.map(({ title, body }) => [title, body])');
  expect(await titles()).toEqual([]);
  await page.getByRole('button', { name: 'Notify me' }).click();
  await expect(page.getByRole('button', { name: 'Notifications are on' })).toBeVisible();
  const asked = await ask(server.address, 'WS-2');
  await expect.poll(titles).toEqual([['approve-inspection asks duty-manager', 'Playbook wildlife-strikes']]);
  await page.evaluate(`shown[0].dispatchEvent(new Event('click'))`);
  await expect(page).toHaveURL(new RegExp(asked));
  await page.goto(`${server.address}/#${DESK}/inbox`);
  await page.getByRole('button', { name: 'Notifications are on' }).click();
  await ask(server.address, 'WS-3');
  await expect(inboxOf(page).getByRole('link')).toHaveCount(3);
  expect(await titles()).toHaveLength(1);
  expect(complaints).toEqual([]);
});
