// What a person does with an installed Cuebook, whatever form it has: serves the sample, connects Claude Code, and lets the
// agent that reads this configuration run a definition.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';

export interface Installed {
  /** The program and its first arguments. */
  command: readonly [program: string, ...args: string[]];
  /** A folder of the person's own, where the commands run. */
  folder: string;
  /** The only variables that the commands see. */
  environment: Record<string, string>;
}

interface ClientConfig {
  mcpServers: Record<string, { command: string; args: string[]; env?: Record<string, string> }>;
}

/** Prints how long it took to serve the sample. @returns what the agent reads of its run */
export async function useInstalled({ command: [program, ...first], folder, environment }: Installed): Promise<string> {
  let read = '';
  const options = { cwd: folder, env: environment };
  const begun = performance.now();
  const server = spawn(program, [...first, 'serve', '--sample', '--port', '0'], { ...options, stdio: 'pipe' });
  const ended = once(server, 'exit');
  let stderr = '';
  server.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
  try {
    let address: string | undefined;
    for await (const line of createInterface({ input: server.stdout })) {
      address = /listening on (\S+)/.exec(line)?.[1];
      if (address !== undefined) break;
    }
    if (address === undefined) throw new Error(`The server did not listen: ${stderr}`);
    server.stdout.resume();
    expect(await (await fetch(address)).text()).toContain('<html');
    // A figure means little without the load, and is no assertion: bench/README.md has one of an idle machine.
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`Served the sample after ${seconds} s, with a load of ${os.loadavg()[0]?.toFixed(1)}: ${program}`);

    const connected = spawnSync(program, [...first, 'connect', 'claude-code', '--write'], {
      ...options,
      encoding: 'utf8',
    });
    expect(connected.status, connected.stderr).toBe(0);
    read = await runAsAgent(path.join(folder, '.mcp.json'), options);
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
  // The launcher ends with the code of the server.
  expect([await ended, stderr]).toEqual([[0, null], expect.not.stringContaining('"level":50')]);
  return read;
}

/** Starts what the configuration names, and nothing else, as Claude Code does. */
async function runAsAgent(file: string, { cwd, env }: { cwd: string; env: Record<string, string> }): Promise<string> {
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as ClientConfig;
  const entry = mcpServers['cuebook'];
  if (entry === undefined) throw new Error(`${file} has no server named cuebook.`);
  const client = new Client({ name: 'claude-code', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: entry.command,
      args: entry.args,
      env: { ...env, ...entry.env },
      cwd,
      stderr: 'ignore',
    }),
  );
  try {
    const { content, isError } = await client.callTool({
      name: 'run_definition',
      arguments: {
        playbook: 'wildlife-strikes',
        type: 'computation',
        name: 'triage-score',
        input: { phase: 'Climb', size: 'Large', damage: 'Substantial' },
      },
    });
    expect(isError, JSON.stringify(content)).not.toBe(true);
    return JSON.stringify(content);
  } finally {
    await client.close();
  }
}
