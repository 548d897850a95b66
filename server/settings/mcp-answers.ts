import { requireFlag, type WrittenConfig } from './entries.ts';

/** Whether agents may answer the requests of interactions over MCP; they may where nothing is said. @throws SettingsError */
export function readMcpAnswers(file: WrittenConfig): boolean {
  const value = Object.hasOwn(file.value, 'mcp_answers') ? file.value['mcp_answers'] : undefined;
  return requireFlag(value ?? true, 'mcp_answers', file);
}
