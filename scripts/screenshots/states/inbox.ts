// Questions that wait for a person.
import { inOrder, latestRun, type MainPicture, openRow, press, SAMPLE } from './picture.ts';

export async function inboxPictures(address: string): Promise<MainPicture[]> {
  const inbox = `${SAMPLE}/inbox`;
  const asked = await latestRun(address, SAMPLE, 'name=approve-inspection&status=started');
  const answered = await latestRun(address, SAMPLE, 'name=approve-inspection&status=succeeded');
  const expired = await latestRun(address, SAMPLE, 'name=approve-inspection&status=rejected');
  const notice = await latestRun(address, SAMPLE, 'name=hand-over&status=succeeded');
  return [
    { name: 'request', path: `${inbox}/${asked}` },
    { name: 'request-answered', path: `${inbox}/${answered}` },
    { name: 'request-expired', path: `${inbox}/${expired}` },
    { name: 'notice', path: `${inbox}/${notice}` },
    { name: 'inbox-for-everyone', path: `${inbox}?party=all` },
    { name: 'inbox-answered', path: `${inbox}?show=answered` },
    { name: 'inbox-unanswered', path: `${inbox}?show=unanswered` },
    { name: 'inbox-notices', path: `${inbox}?show=notices` },
    { name: 'inbox-who-am-i', path: inbox, act: press('Who am I?') },
    {
      name: 'inbox-for-me',
      path: inbox,
      act: inOrder(press('Who am I?'), async (page) => {
        await page.getByLabel('My parties').first().fill('duty-manager');
        await page.keyboard.press('Enter');
        await page.keyboard.press('Escape');
      }),
    },
    {
      name: 'request-with-an-answer',
      path: `${inbox}/${asked}`,
      async act(page) {
        await page.getByRole('button', { name: 'Yes' }).click();
        await page.getByRole('textbox', { name: /^note/ }).fill('Look at the left engine.');
      },
    },
    {
      name: 'request-without-an-answer',
      path: `${inbox}/${asked}`,
      act: (page) =>
        page
          .getByRole('region', { name: 'Answer', exact: true })
          .getByRole('button', { name: /^Answer/ })
          .click(),
    },
    {
      name: 'request-that-someone-else-answered',
      path: `${inbox}/${asked}`,
      async act(page) {
        await page.route('**/answer', (route) =>
          route.fulfill({
            status: 409,
            contentType: 'application/problem+json',
            json: {
              type: 'https://cuebook.dev/problems/conflict',
              title: 'Conflict',
              status: 409,
              detail: `The run ${asked} has ended and takes no answer.`,
            },
          }),
        );
        await page.getByRole('button', { name: 'Yes' }).click();
        await page
          .getByRole('region', { name: 'Answer', exact: true })
          .getByRole('button', { name: /^Answer/ })
          .click();
      },
    },
    {
      name: 'inbox-notice-opened',
      path: `${inbox}?show=notices`,
      act: (page) => openRow(page.getByRole('row').nth(1)),
    },
  ];
}
