// The guides are read by agents that have the tools of MCP: what a guide names like a tool is one, or says that it is HTTP.
import { beforeAll, expect, test } from 'vitest';
import { RESERVED_EVENT_TYPES } from '../shared/schemas/events/reserved-types.ts';
import { readPages } from '../server/interfaces/documentation/index.ts';
import type { Operation } from '../server/operations/index.ts';
import { DOCUMENTATION_FOLDERS } from '../server/runtime/resources.ts';
import { operationsOfRuntime } from './operations-of-runtime.ts';

const GUIDES = readPages(DOCUMENTATION_FOLDERS).filter(({ path }) => path.startsWith('/guides/'));
const OVER_HTTP = /\bHTTP\b|\b(?:GET|POST|PUT|PATCH|DELETE) /;
/** The only tool that is no operation. */
const READING_TOOL = 'read_resource';

let operations: readonly Operation[];
beforeAll(async () => {
  operations = await operationsOfRuntime();
});

/** What begins like the name of an operation and is none. */
const OTHER_NAMES = ['run_id', 'find_exp'];

/** The names with underscores, with the paragraph or table row that each stands in. */
function namesIn(markdown: string): { name: string; paragraph: string }[] {
  return markdown.split(/\n(?=\|)|\n\s*\n|\n(?=- )/).flatMap((paragraph) =>
    [...paragraph.matchAll(/(?<![\w./])([a-z]+(?:_[a-z]+)+)(?![\w.])/g)].map(([, name = '']) => ({
      name,
      paragraph,
    })),
  );
}

test.each(GUIDES.map(({ path, markdown }) => [path, markdown] as const))(
  '%s names tools that exist',
  (path, markdown) => {
    const tools = new Set([READING_TOOL, ...operations.filter(({ mcp }) => mcp).map(({ name }) => name)]);
    const others = new Set(operations.filter(({ mcp }) => !mcp).map(({ name }) => name));
    const verbs = new Set(operations.map(({ name }) => name.split('_')[0]));
    const events: readonly string[] = RESERVED_EVENT_TYPES;
    const wrong = namesIn(markdown).filter(({ name, paragraph }) => {
      if (tools.has(name) || events.includes(name) || OTHER_NAMES.includes(name)) return false;
      if (others.has(name)) return path !== '/guides/http' && !OVER_HTTP.test(paragraph);
      return verbs.has(name.split('_')[0]);
    });
    expect(wrong.map(({ name, paragraph }) => `${name}: ${paragraph}`)).toEqual([]);
  },
);
