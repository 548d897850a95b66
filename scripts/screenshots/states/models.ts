// Models: found, added, named, tested, and what they cost.
import type { Page } from 'playwright-core';
import { inOrder, type MainPicture, press, SAMPLE } from './picture.ts';

export function modelPictures(): MainPicture[] {
  const models = `${SAMPLE}/models`;
  const showCosts = (page: Page): Promise<void> => page.getByText('Tokens and costs').click();
  return [
    { name: 'models-search', path: `${models}?q=desk` },
    { name: 'models-none-like-that', path: `${models}?q=zebra` },
    { name: 'models-of-a-provider', path: `${models}?provider=desk` },
    { name: 'provider-key', path: models, act: press('Add key: OpenAI') },
    {
      name: 'model-tested',
      path: models,
      act: inOrder(press(/^Test desk\//), (page) => page.getByText(/answered in/).waitFor()),
    },
    {
      name: 'local-servers',
      path: models,
      act: (page) => page.getByRole('region', { name: 'Local servers' }).scrollIntoViewIfNeeded(),
    },
    {
      name: 'gateway-being-added',
      path: models,
      async act(page) {
        await press('Add a gateway…')(page);
        await page.getByRole('textbox', { name: 'Name' }).fill('desk');
        await page.getByRole('textbox', { name: 'Address' }).fill('https://gateway.example.com/v1');
      },
    },
    {
      name: 'gateway-refused',
      path: models,
      async act(page) {
        await press('Add a gateway…')(page);
        await page.getByRole('textbox', { name: 'Name' }).fill('desk');
        await page.getByRole('textbox', { name: 'Address' }).fill('https://gateway.example.com/v1');
        await press('Add gateway')(page);
        await page.getByText('repeats "desk"').first().waitFor();
      },
    },
    {
      name: 'model-aliases-and-limits',
      path: models,
      async act(page) {
        await press('Aliases and limits…')(page);
        await press('Add an alias')(page);
        await page.getByRole('combobox', { name: 'Allowed models' }).fill('desk/*');
        await page.keyboard.press('Enter');
      },
    },
    {
      name: 'model-costs',
      path: models,
      act: inOrder(showCosts, (page) => page.getByRole('table', { name: 'Tokens and costs' }).scrollIntoViewIfNeeded()),
    },
    ...['Definition', 'Day'].map((by) => ({
      name: `model-costs-by-${by.toLowerCase()}`,
      path: models,
      act: inOrder(showCosts, async (page) => {
        await page.getByRole('radiogroup', { name: 'Sum by' }).getByText(by, { exact: true }).click();
        await page.getByRole('table', { name: 'Tokens and costs' }).scrollIntoViewIfNeeded();
      }),
    })),
  ];
}
