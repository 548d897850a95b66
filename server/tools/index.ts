export type { CallOptions, CallStart, Outcome, ToolCalled } from './call.ts';
export type { Connected, ConnectedServer, Learn, ReadyConnection } from './connected.ts';
export { callEnded, callStarted } from './call-events.ts';
export { createExecute, type Execute } from './execute.ts';
export { createGate } from './gate.ts';
export { toolOperations } from './operations.ts';
export { type ConnectionNotReady, ServerFault } from './server.ts';
export { createTools, type DescribedTool, type Tools } from './tools.ts';
export type { WayOut } from './way-out.ts';
