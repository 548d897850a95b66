import { expect, test } from 'vitest';
import { startLimitsOf } from './start-limits.ts';

const MINUTE = 60_000;

function limitsOf(line: string, startTimeoutMs?: number) {
  const [command = '', ...args] = line.split(' ');
  return startLimitsOf({ type: 'stdio', command, args, startTimeoutMs } as never);
}

test.each([
  'npx -y notes-mcp',
  '/usr/local/bin/npx notes-mcp',
  'C:\\nodejs\\npx.cmd notes-mcp',
  'uvx notes-mcp',
  'uv tool run notes-mcp',
  'bunx notes-mcp',
  'pnpm dlx notes-mcp',
  'npm exec notes-mcp',
  'docker run -i --rm acme/notes',
  'cmd /c npx notes-mcp',
  'sh -c LEVEL=info npx notes-mcp',
])('%s may install something first', (line) => {
  expect(limitsOf(line)).toEqual({ installs: true, callerMs: 5 * MINUTE, programMs: 5 * MINUTE });
  expect(limitsOf(line, MINUTE)).toEqual({ installs: true, callerMs: MINUTE, programMs: 5 * MINUTE });
  expect(limitsOf(line, 10 * MINUTE)).toEqual({ installs: true, callerMs: 10 * MINUTE, programMs: 10 * MINUTE });
});

test.each([
  'node server.js',
  'python -m notes',
  'notes-mcp',
  'docker exec -i notes notes-mcp',
  'sh -c ./notes',
  'deno',
])('%s installs nothing', (line) => {
  expect(limitsOf(line)).toEqual({ installs: false, callerMs: MINUTE / 2, programMs: MINUTE / 2 });
  expect(limitsOf(line, MINUTE)).toEqual({ installs: false, callerMs: MINUTE, programMs: MINUTE });
});
