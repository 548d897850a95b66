// What the clock starts.
import { AT_DESK, inOrder, type MainPicture, press, SAMPLE } from './picture.ts';

export function schedulePictures(): MainPicture[] {
  const often = `${AT_DESK}/definitions/workflow/often?tab=schedule`;
  const showTimes = inOrder(press('Missed times'), press('Show times'), (page) =>
    page.getByRole('table', { name: 'Times' }).waitFor(),
  );
  return [
    { name: 'schedule', path: `${SAMPLE}/definitions/workflow/weekly-digest?tab=schedule` },
    { name: 'schedule-paused', path: often },
    { name: 'schedule-missed-times', path: often, act: showTimes },
    { name: 'schedule-backfill', path: often, act: inOrder(showTimes, press(/^Run \d+ missed times?$/)) },
    {
      name: 'schedule-without-times',
      path: `${SAMPLE}/definitions/workflow/weekly-digest?tab=schedule`,
      act: inOrder(press('Missed times'), async (page) => {
        await page.getByLabel('Until').fill('2020-01-02T00:00');
        await page.getByLabel('From').fill('2020-01-01T00:00');
        await press('Show times')(page);
      }),
    },
    {
      name: 'home-schedules',
      path: SAMPLE,
      async act(page) {
        await page.getByRole('region', { name: 'Failed and rejected' }).hover();
        await page.mouse.wheel(0, 3_000);
        await page.getByRole('region', { name: 'Schedules' }).waitFor();
      },
    },
  ];
}
