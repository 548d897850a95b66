// A prediction function from its dataset to a forecast.
import { TEMPLATED } from '../make-desk.ts';
import { inOrder, latestRun, type MainPicture, press, SAMPLE } from './picture.ts';

export async function predictionPictures(address: string): Promise<MainPicture[]> {
  const at = `${SAMPLE}/definitions/prediction/strike-reports`;
  const untrained = `/playbooks/${TEMPLATED}/definitions/prediction/monthly-demand`;
  const build = await latestRun(address, SAMPLE, 'type=prediction&name=strike-reports&status=started');
  const ended = await latestRun(address, SAMPLE, 'type=prediction&name=strike-reports&status=succeeded');
  return [
    { name: 'prediction-dataset-of-a-series', path: `${at}?tab=dataset&series=SACRAMENTO%20INTL` },
    {
      name: 'prediction-dataset-refused',
      path: `${at}?tab=dataset`,
      async act(page) {
        const buffer = Buffer.from('series,period,reports,state\na,2024-01,1,x\na,2024-Q1,2,x\n');
        await page.locator('input[type="file"]').setInputFiles({ name: 'broken.csv', mimeType: 'text/csv', buffer });
        await page.getByRole('region', { name: 'Upload' }).getByRole('alert').waitFor();
      },
    },
    {
      name: 'prediction-forecast-drawn',
      path: `${at}?tab=forecast&series=SACRAMENTO%20INTL`,
      act: inOrder(press(/^Forecast ?(Ctrl|⌘|$)/), (page) =>
        page.getByRole('region', { name: 'Forecast' }).getByText('Predicted by version').waitFor(),
      ),
    },
    {
      name: 'prediction-forecast-as-a-table',
      path: `${at}?tab=forecast&series=SACRAMENTO%20INTL`,
      act: inOrder(press(/^Forecast ?(Ctrl|⌘|$)/), (page) => page.getByText('As a table').click()),
    },
    {
      name: 'home-forecast',
      path: SAMPLE,
      async act(page) {
        await page.getByRole('region', { name: 'Failed and rejected' }).hover();
        await page.mouse.wheel(0, 3_000);
        await page.getByText('Predicted by version').first().waitFor();
        await page.mouse.wheel(0, 3_000);
      },
    },
    { name: 'build-request', path: `${SAMPLE}/inbox/${build}` },
    {
      name: 'build-candidate-refused',
      path: `${SAMPLE}/inbox/${build}`,
      async act(page) {
        const file = { name: 'notes.onnx', mimeType: 'application/octet-stream', buffer: Buffer.from('no model') };
        await page.locator('input[type="file"]').first().setInputFiles(file);
        await page.getByText('Not accepted').first().waitFor();
      },
    },
    { name: 'run-of-a-build', path: `${SAMPLE}/runs/${ended}` },
    { name: 'run-of-a-waiting-build', path: `${SAMPLE}/runs/${build}` },
    { name: 'prediction-without-data', path: `${untrained}?tab=forecast` },
    { name: 'prediction-models-without-data', path: `${untrained}?tab=models` },
  ];
}
