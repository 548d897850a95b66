// Every code block of the documentation, by its language: commands are parsed as the command line parses them, JSON and YAML are
// read, definitions are checked as at a save, settings as at a start, and JavaScript is compiled. docs-examples.test.ts also runs
// those of the tutorial and of the pages that continue it.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { Lexer, type Token } from 'marked';
import { afterAll, assert, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { DefinitionType } from '../shared/definition-types.ts';
import { listProvidersWithKeys } from '../server/domain/models/index.ts';
import { createProgram } from '../server/interfaces/cli/program.ts';
import { readPages } from '../server/interfaces/documentation/index.ts';
import { DOCUMENTATION_FOLDERS } from '../server/runtime/resources.ts';
import { readSettings } from '../server/settings/index.ts';
import { startServer, temporaryFolder, type TestServer } from '../server/test/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OTHER_TEXTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/fastify/README.md', 'bench/README.md'];
/** Output, data and files of other programs. */
const NOT_CHECKED = ['', 'text', 'csv', 'ini', 'sql'];

interface Block {
  /** `/guides/workflow, block 2`, for the message. */
  place: string;
  page: string;
  language: string;
  text: string;
}

function codeIn(tokens: readonly Token[]): { lang?: string; text: string }[] {
  return tokens.flatMap((token) => {
    if (token.type === 'code') return [token as { lang?: string; text: string }];
    const below = [
      ...(('items' in token && (token.items as Token[])) || []),
      ...(('tokens' in token && token.tokens) || []),
    ];
    return codeIn(below);
  });
}

const MARKDOWN = [
  ...readPages(DOCUMENTATION_FOLDERS).map(({ path: page, markdown }) => ({ page, markdown })),
  ...OTHER_TEXTS.map((page) => ({ page, markdown: readFileSync(path.join(ROOT, page), 'utf8') })),
];
const BLOCKS: Block[] = MARKDOWN.flatMap(({ page, markdown }) =>
  codeIn(new Lexer({ gfm: true }).lex(markdown)).map(({ lang = '', text }, index) => ({
    place: `${page}, block ${index + 1}`,
    page,
    language: lang,
    text,
  })),
);
const blocksIn = (...languages: string[]): Block[] => BLOCKS.filter(({ language }) => languages.includes(language));

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'pages', name: 'Pages' });
});
afterAll(() => server.close());

/** @returns what the checker finds wrong with a definition */
async function issuesOf(type: DefinitionType, source: string): Promise<unknown> {
  const answer = await server.post(`/v1/orgs/local/playbooks/pages/definitions/${type}/check`, { source });
  return answer.body.issues ?? answer.body;
}

test('each block has a language that is checked, or one that needs none', () => {
  const checked = ['sh', 'console', 'json', 'mcp', 'yaml', 'ts', 'markdown', 'js'];
  expect(BLOCKS.length).toBeGreaterThan(100);
  const unknown = BLOCKS.filter(({ language }) => ![...checked, ...NOT_CHECKED].includes(language));
  expect(unknown.map(({ place, language }) => `${place}: ${language}`)).toEqual([]);
});

describe('commands', () => {
  const HERE_DOCUMENT = /<<'(?<end>\w+)'\n(?<text>[\s\S]*?\n)\k<end>(?=\n|$)/g;
  const CALL = /\bcuebook(?:\.mjs)?(?<args>(?: +(?:'[^']*'|"[^"]*"|[^\s'"|&;()<>#])+)*)/g;

  /** The arguments of each call of `cuebook`, as the shell passes them. */
  function callsIn(script: string): string[][] {
    const plain = script
      .replaceAll(HERE_DOCUMENT, '')
      .replaceAll('\\\n', ' ')
      .replaceAll(/(?:^|\s)#.*$/gm, '')
      .replaceAll(/ \d?>(?:&\d| *\S+)/g, '');
    return plain.split('\n').flatMap((line) => {
      if (!/\b(?:npx cuebook|cuebook\.mjs) ?/.test(line)) return [];
      return [...line.matchAll(CALL)]
        .filter(({ index }) => /(?:npx |\/)$/.test(line.slice(0, index)) && !line.slice(index).startsWith('cuebook /'))
        .map(({ groups }) => {
          // Variables of the page have no values here; their names stand for them.
          const words = (groups?.['args'] ?? '').replaceAll(/\$(?=[A-Z])/g, '');
          const script = `printf '%s\\0' ${words}`;
          return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
        });
    });
  }

  /** @throws CommanderError for an unknown command or option, and for missing or needless arguments */
  async function parseCall(args: readonly string[]): Promise<void> {
    const program = createProgram({ code: 0, json: false });
    const doNothing = (command: Command): void => {
      command.action(() => undefined).configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
      command.commands.forEach(doNothing);
    };
    doNothing(program);
    const [word = 'serve'] = args;
    assert(word.startsWith('-') || program.commands.some((command) => command.name() === word), `no command ${word}`);
    await program.parseAsync(args, { from: 'user' });
  }

  test('calls of cuebook have the arguments that the command line takes', async () => {
    const scripts = [
      ...blocksIn('sh'),
      ...blocksIn('console').map((block) => ({ ...block, text: block.text.replaceAll(/^(?!\$ ).*$/gm, '') })),
    ];
    const calls = scripts.flatMap(({ place, text }) => callsIn(text).map((args) => ({ place, args })));
    expect(calls.length).toBeGreaterThan(40);
    for (const { place, args } of calls) {
      await parseCall(args).catch((error: unknown) => {
        throw new Error(`${place}: cuebook ${args.join(' ')}: ${String(error)}`);
      });
    }
  });

  test('wrong calls are found', async () => {
    const script = `npx cuebook serve --smaple  # a comment\nnpx cuebook run 2>&1 | cat\nnpx cuebook sevre\nnpx cuebook export a \\\n  "b c"`;
    const [unknownOption = [], missing = [], unknownCommand = [], right = []] = callsIn(script);
    expect(right).toEqual(['export', 'a', 'b c']);
    await expect(parseCall(unknownOption)).rejects.toThrow("unknown option '--smaple'");
    await expect(parseCall(missing)).rejects.toThrow('missing required argument');
    await expect(parseCall(unknownCommand)).rejects.toThrow('no command sevre');
    await expect(parseCall(right)).resolves.toBeUndefined();
  });

  test('shell scripts are valid, and their npm scripts and files exist', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    for (const { place, text } of blocksIn('sh')) {
      expect(spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' }).stderr, place).toBe('');
      const commands = text.replaceAll(/(?:^|\s)#.*$/gm, '');
      for (const [, name = ''] of commands.matchAll(/\bnpm (?:run )?((?<=run )[\w:-]+|start|test)\b/g)) {
        expect(Object.keys(scripts), place).toContain(name);
      }
      for (const [, file = ''] of commands.matchAll(/\bnode ((?:bin|scripts)\/\S+)/g)) {
        expect(existsSync(path.join(ROOT, file)), `${place}: ${file}`).toBe(true);
      }
      for (const [, body = ''] of commands.matchAll(/ -d '([^']*)'/g)) {
        expect(() => JSON.parse(body), `${place}: ${body}`).not.toThrow();
      }
    }
  });

  test('files that they write are valid definitions', async () => {
    const files = blocksIn('sh').flatMap(({ place, text }) =>
      [...text.matchAll(/cat > \S+\/[\w-]+\.(?<type>computation|recall|workflow)\.\w+ (?<here><<[\s\S]*)/g)].map(
        ({ groups }) => ({
          place,
          type: groups?.['type'] as DefinitionType,
          source: [...(groups?.['here'] ?? '').matchAll(HERE_DOCUMENT)][0]?.groups?.['text'] ?? '',
        }),
      ),
    );
    expect(files.length).toBeGreaterThan(3);
    for (const { place, type, source } of files) expect(await issuesOf(type, source), place).toEqual([]);
  });
});

test('JSON is valid, and calls over MCP name operations', () => {
  const lines = blocksIn('json').flatMap(({ text, ...block }) => {
    const isWhole = text.startsWith('{\n');
    return (isWhole ? [text] : text.split('\n')).map((json) => ({ ...block, json }));
  });
  const calls = blocksIn('mcp').flatMap(({ place, text }) =>
    text.split('\n').map((line) => ({ place, name: line.split(' ')[0], json: line.slice(line.indexOf(' ')) })),
  );
  expect(calls.length).toBeGreaterThan(3);
  for (const { place, json } of [...lines, ...calls]) expect(() => JSON.parse(json), place).not.toThrow();
  const operations = server.operations.map(({ name }) => name);
  for (const { place, name } of calls) expect(operations, place).toContain(name);
});

describe('YAML', () => {
  const HEADER = `document: { dsl: '1.0.3', namespace: pages, name: part, version: '1.0.0' }\n`;
  const read = (): { block: Block; value: Record<string, unknown> }[] =>
    blocksIn('yaml').map((block) => ({ block, value: parse(block.text) as Record<string, unknown> }));

  test('documents are valid definitions', async () => {
    const checked = read().flatMap(({ block, value }): { block: Block; type: DefinitionType; source: string }[] => {
      if ('do' in value) return [{ block, type: 'workflow', source: ('document' in value ? '' : HEADER) + block.text }];
      if ('dataset' in value) return [{ block, type: 'prediction', source: block.text }];
      if ('ask' in value) return [{ block, type: 'interaction', source: block.text }];
      return [];
    });
    expect(new Set(checked.map(({ type }) => type))).toEqual(new Set(['workflow', 'prediction', 'interaction']));
    for (const { block, type, source } of checked) expect(await issuesOf(type, source), block.place).toEqual([]);
    expect(await issuesOf('workflow', `${HEADER}do: [ { ask: { lisen: {} } } ]`)).not.toEqual([]);
  });

  test('settings are valid', () => {
    const settings = read().filter(({ block }) => /settings|models|connections|tool-servers|teams/.test(block.page));
    const files = settings.filter(({ value }) => !('do' in value) && !('groups' in value));
    expect(files.length).toBeGreaterThan(12);
    for (const { block } of files) {
      const folder = temporaryFolder();
      writeFileSync(path.join(folder.path, 'cuebook.yaml'), block.text);
      // The variables that settings name, with or without `${}`.
      const named = [...block.text.matchAll(/\b[A-Z][A-Z_]+\b/g)].map(([name]) => [name, 'value'] as const);
      // The providers whose models the pages name.
      const providers = { OPENAI_API_KEY: 'key', AZURE_API_KEY: 'key', AZURE_RESOURCE_NAME: 'house' };
      const read = (): unknown =>
        readSettings({ ...providers, ...Object.fromEntries(named), DATA_DIR: folder.path }, {}, listProvidersWithKeys);
      expect(read, block.place).not.toThrow();
      folder.remove();
    }
  });
});

test('programs and prompts are valid definitions', async () => {
  const definitions = blocksIn('ts', 'markdown');
  expect(definitions.length).toBeGreaterThan(2);
  for (const { place, page, text } of definitions) {
    expect(await issuesOf(path.basename(page) as DefinitionType, text), place).toEqual([]);
  }
});

test('JavaScript compiles against the types of the package', () => {
  const folder = temporaryFolder();
  const write = (name: string, content: string): void => writeFileSync(path.join(folder.path, name), content);
  blocksIn('js').forEach(({ text }, index) => write(`block-${index}.mjs`, text));
  // The SDK of an identity service, for which docs/teams.md shows a module.
  write(
    'sdk.d.ts',
    `declare const sdk: { openSignIn(): Promise<void>; signOut(): Promise<void>; getToken(): Promise<string | null> };
export declare function createClient(): Promise<typeof sdk>;`,
  );
  write('wrong.mjs', `import { createClient } from 'cuebook/client';\ncreateClient({ adress: 'http://127.0.0.1' });`);
  const compilerOptions = {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    types: ['node'],
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
    paths: {
      cuebook: [path.join(ROOT, 'server/library/published.ts')],
      'cuebook/client': [path.join(ROOT, 'server/library/client.ts')],
    },
  };
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.mjs'] }));
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder.path], { encoding: 'utf8' });
  folder.remove();
  const faults = stdout.split('\n').filter((line) => line.includes('error TS'));
  expect(faults.filter((line) => !line.includes('wrong.mjs'))).toEqual([]);
  expect(faults.join('\n')).toContain("'adress' does not exist");
}, 60_000);
