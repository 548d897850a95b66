// From the configuration of another client to the result of a tool: it is pasted, compared, added and called.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FILES_SERVER } from './files.ts';
import { expect, expectAccessible, makeDesk, test } from './studio.ts';
import { typeInto } from './writing.ts';

test('a pasted tool server is compared, added with its secrets as variables, and called', async ({
  page,
  server,
  complaints,
}) => {
  const config = path.join(server.dataDir, 'cuebook.yaml');
  writeFileSync(config, '# of the team\nmcp_answers: true\n');
  const folder = path.join(server.dataDir, 'notes');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'note.txt'), 'The gull was released.');
  await makeDesk(server.address);
  await page.goto(`${server.address}/#/playbooks/desk/tools`);

  await page.getByRole('button', { name: 'Paste a server…' }).click();
  const pasting = page.getByRole('dialog', { name: 'Paste a tool server' });
  const text = pasting.getByRole('textbox', { name: 'Configuration, command or address' });
  await expect(text).toBeFocused();
  await page.keyboard.type('{ "mcpServers": {} }');
  await pasting.getByRole('button', { name: 'Preview' }).click();
  await expect(pasting).toContainText('There is no tool server in it');
  await expectAccessible(page);
  const env = { NOTES_TOKEN: 'hidden-4711', NOTES_KEY: '<YOUR_KEY>' };
  const entry = { command: process.execPath, args: [FILES_SERVER, folder], env };
  await typeInto(text, JSON.stringify({ mcpServers: { notes: entry } }));
  await pasting.getByRole('button', { name: 'Preview' }).click();

  const asked = page.getByRole('dialog', { name: 'Change the configuration?' });
  await expect(asked).toContainText('runs with your permissions');
  await expect(asked).toContainText('TOOL_NOTES_TOKEN');
  await expect(asked.locator('.editor.modified')).toContainText('tool_servers');
  await expect(asked).not.toContainText('4711');
  await expectAccessible(page);
  expect(readFileSync(config, 'utf8')).not.toContain('notes');
  await typeInto(asked.getByLabel('TOOL_NOTES_KEY'), 'hidden-4712');
  await page.keyboard.press('Enter');

  const added = page.getByRole('dialog', { name: 'Tool servers added' });
  await expect(added.getByRole('link', { name: 'read_text_file' })).toBeVisible();
  await expectAccessible(page);
  expect(readFileSync(config, 'utf8')).toMatch(/# of the team[^]*NOTES_TOKEN: \$\{TOOL_NOTES_TOKEN\}/);
  expect(readFileSync(config, 'utf8')).not.toContain('hidden');
  expect(readFileSync(path.join(server.dataDir, 'env'), 'utf8')).toContain('TOOL_NOTES_KEY="hidden-4712"');

  await added.getByRole('link', { name: 'read_text_file' }).click();
  const bench = page.getByRole('region', { name: 'Arguments' });
  await typeInto(bench.getByRole('textbox', { name: 'path' }), path.join(folder, 'note.txt'));
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('The gull was released.');
  expect(complaints).toEqual([]);
});
