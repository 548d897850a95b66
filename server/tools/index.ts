export type { CallOptions, CallStart, Outcome, ToolCalled } from './call.ts';
export { callEnded, callStarted } from './call-events.ts';
export { createExecute, type Execute } from './execute.ts';
export { createGate } from './gate.ts';
export { toolOperations } from './operations.ts';
export { createTools, type DescribedTool, type Tools } from './tools.ts';
