// Connections: added, connected and removed.
import { type MainPicture, press, SAMPLE } from './picture.ts';

export async function connectionPictures(address: string): Promise<MainPicture[]> {
  const connections = `${SAMPLE}/connections`;
  const connecting = await connectPath(address);
  const opened = `${connections}?connection=${await firstConnection(address)}`;
  return [
    { name: 'connection-being-added', path: `${connections}?adding=true` },
    {
      name: 'connection-to-an-api-being-added',
      path: `${connections}?adding=true`,
      async act(page) {
        const form = page.getByRole('dialog', { name: 'Add a connection' });
        await form.getByRole('textbox', { name: 'Name', exact: true }).fill('the weather');
        await form.getByText('HTTP API').click();
        await form.getByRole('textbox', { name: 'OpenAPI document' }).fill('https://api.weather.gov/openapi.json');
        await form.getByText('More:').click();
        await form.getByRole('button', { name: 'Add a header' }).click();
      },
    },
    {
      name: 'connection-refused',
      path: `${connections}?adding=true`,
      async act(page) {
        const form = page.getByRole('dialog', { name: 'Add a connection' });
        await form.getByRole('textbox', { name: 'Name', exact: true }).fill('the weather');
        await form.getByRole('button', { name: /^Add and/ }).click();
      },
    },
    { name: 'connect', path: connecting },
    { name: 'connection', path: opened },
    { name: 'connection-before-it-is-removed', path: opened, act: press('Remove…') },
    { name: 'connect-link-that-is-over', path: '/connect?org=local&connection=none&token=none' },
  ];
}

async function firstConnection(address: string): Promise<string> {
  const response = await fetch(`${address}/v1/orgs/local/connections`);
  const { connections } = (await response.json()) as { connections: { id: string }[] };
  return connections[0]?.id ?? '';
}

/** A link counts ten minutes, so that it is asked for where it is needed. */
async function connectPath(address: string): Promise<string> {
  const response = await fetch(`${address}/v1/orgs/local/connections`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'weather',
      kind: 'openapi',
      entry: { document: 'https://api.weather.gov/openapi.json', base_url: 'https://api.weather.gov' },
      credential: { kind: 'secret', name: 'x-api-key', in: 'header' },
    }),
  });
  const body = (await response.json()) as { connect: { url: string } };
  return `/connect${new URL(body.connect.url).search}`;
}
