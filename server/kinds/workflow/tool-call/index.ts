export { performToolCall } from './perform-tool-call.ts';
export { partsOf, readMcpCall, readToolCall } from './read-call.ts';
