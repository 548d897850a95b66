// Tools: found, called, and added by pasting.
import type { Page } from 'playwright-core';
import { AT_DESK, inOrder, type MainPicture, press, SAMPLE } from './picture.ts';

const PASTED = {
  mcpServers: {
    notes: {
      command: 'npx',
      args: ['-y', 'notes-server'],
      env: { NOTES_TOKEN: 'hidden-4711', NOTES_KEY: '<YOUR_KEY>' },
    },
  },
};

/** @param shiftNotes the file that the tools read */
export function toolPictures(shiftNotes: string): MainPicture[] {
  const tools = `${SAMPLE}/tools`;
  const reading = `${tools}/files/read_text_file`;
  const preview = press('Preview');
  return [
    { name: 'tools-found', path: `${tools}?terms=read%20text` },
    { name: 'tools-that-write', path: `${tools}?only=write&server=files` },
    { name: 'tools-none-like-that', path: `${tools}?terms=zebra&only=write` },
    { name: 'tool', path: reading },
    {
      name: 'tool-with-a-result',
      path: reading,
      act: inOrder(fillPath(shiftNotes), press('Execute'), (page) =>
        page.getByRole('region', { name: 'Result' }).getByLabel('Text of the result').waitFor(),
      ),
    },
    {
      name: 'tool-with-an-error',
      path: reading,
      act: inOrder(fillPath(`${shiftNotes}.gone`), press('Execute'), hasResult),
    },
    { name: 'tool-validated', path: reading, act: inOrder(fillPath(shiftNotes), press('Validate'), hasResult) },
    { name: 'tool-dry-run', path: reading, act: inOrder(fillPath(shiftNotes), press('Dry run'), hasResult) },
    {
      name: 'tool-schema',
      path: reading,
      act: (page) => page.getByText('Schema of the arguments').first().click(),
    },
    {
      name: 'tool-before-a-call',
      path: `${tools}/files/write_file`,
      async act(page) {
        await fillPath(shiftNotes)(page);
        await page.getByRole('textbox', { name: 'content' }).fill('Two gulls, left engine.');
        await press('Execute')(page);
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'tools-add', path: tools, act: showAdding },
    { name: 'paste', path: tools, act: openPaste('') },
    { name: 'paste-json', path: tools, act: openPaste(JSON.stringify(PASTED, undefined, 2)) },
    { name: 'paste-command', path: tools, act: openPaste('npx -y @modelcontextprotocol/server-filesystem /srv/docs') },
    { name: 'paste-address', path: tools, act: openPaste('https://api.weather.gov/openapi.json') },
    {
      name: 'paste-refused',
      path: tools,
      act: inOrder(openPaste('{ "mcpServers": {} }'), preview, (page) =>
        page.getByText('no tool server').first().waitFor(),
      ),
    },
    ...Object.entries({
      'paste-json-diff': JSON.stringify(PASTED),
      'paste-command-diff': 'npx -y @modelcontextprotocol/server-filesystem /srv/docs',
      'paste-address-diff': 'https://api.weather.gov/openapi.json',
    }).map(([name, text]) => ({
      name,
      path: `${AT_DESK}/tools`,
      act: inOrder(openPaste(text), preview, (page) =>
        page.getByRole('dialog', { name: 'Change the configuration?' }).locator('.monaco-diff-editor').waitFor(),
      ),
    })),
  ];
}

const fillPath =
  (file: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('textbox', { name: 'path' }).fill(file);

const hasResult = (page: Page): Promise<void> =>
  page.getByRole('region', { name: 'Result' }).locator(':scope *').first().waitFor();

const showAdding = (page: Page): Promise<void> => page.getByText('Add another server').click();

const openPaste =
  (text: string) =>
  async (page: Page): Promise<void> => {
    await showAdding(page);
    await press('Paste a server…')(page);
    await page.getByRole('textbox', { name: 'Configuration, command or address' }).fill(text);
  };
