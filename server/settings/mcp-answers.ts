import { kindOf, misfit, type WrittenConfig } from './entries.ts';

/** Whether agents may answer the requests of interactions over MCP; they may where nothing is said. @throws SettingsError */
export function readMcpAnswers(file: WrittenConfig): boolean {
  const value = Object.hasOwn(file.value, 'mcp_answers') ? file.value['mcp_answers'] : undefined;
  if (value === undefined || value === null) return true;
  if (typeof value === 'boolean') return value;
  throw misfit('mcp_answers', file, kindOf(value), 'true or false');
}
