import { Command } from 'commander';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServer, type TestServer } from '../../test/index.ts';
import { type OperationCommand, sendsOperation } from './operation-command.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (const id of ['first', 'second']) {
    await server.post('/v1/orgs/local/playbooks', { playbook: id, name: id });
  }
  await server.post('/v1/orgs/local/playbooks/second/retire', {});
});
afterAll(() => server.close());

const LIST: OperationCommand<'list_playbooks'> = {
  operation: 'list_playbooks',
  options: { include_retired: { description: 'list retired playbooks as well' } },
  text: ({ playbooks }) => playbooks.map(({ id }) => id).join(', '),
};

function commandOf<Name extends 'list_playbooks' | 'get_playbook' | 'list_runs'>(
  entry: OperationCommand<Name>,
): Command {
  const command = new Command('toy').exitOverride().option('--server <url>').option('--org <org>').option('--json');
  sendsOperation(command, entry);
  return command;
}

/** What a call prints on stdout. */
async function printed(command: Command, ...args: string[]): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await command.parseAsync([...args, '--server', server.address], { from: 'user' });
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

test('an entry is a command: options set fields, and the answer is printed as text or as JSON', async () => {
  expect(await printed(commandOf(LIST))).toBe('first\n');
  expect(await printed(commandOf(LIST), '--include-retired')).toBe('first, second\n');
  expect(JSON.parse(await printed(commandOf(LIST), '--json'))).toMatchObject({ playbooks: [{ id: 'first' }] });
});

test('path parameters are arguments in the order of the route, and the answer is JSON without a text', async () => {
  const command = commandOf({ operation: 'get_playbook' });
  expect(command.usage()).toBe('[options] <playbook>');
  expect(JSON.parse(await printed(command, 'first'))).toMatchObject({ id: 'first' });
  const renamed = commandOf({ operation: 'get_playbook', argumentNames: { playbook: 'id' } });
  expect(renamed.usage()).toBe('[options] <id>');
});

test('a number is sent as a number, and the service refuses a value that is none', async () => {
  const limit = { value: 'number', description: 'the maximum number of runs', isRequired: true };
  const command = () => commandOf({ operation: 'list_runs', options: { limit } });
  expect(command().helpInformation()).toContain('--limit <number>');
  expect(JSON.parse(await printed(command(), 'first', '--limit', '5', '--json'))).toMatchObject({ runs: [] });
  await expect(printed(command(), 'first', '--limit', 'many')).rejects.toThrow('limit');
  await expect(printed(command().configureOutput({ writeErr: () => undefined }), 'first')).rejects.toThrow('--limit');
});
