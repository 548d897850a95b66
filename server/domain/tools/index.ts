export type { CallOptions, CallStart, Outcome, ToolCalled } from './call.ts';
export type { Connected, ConnectedServer, Learn, Shown } from './connected.ts';
export { callEnded, callStarted } from './call-events.ts';
export { createExecute, type Execute } from './execute.ts';
export { toolOperations } from './operations.ts';
export { type ConnectionNotReady, ServerFault } from './server.ts';
export type { Sent } from './sent.ts';
export { createTools, type Tools } from './tools.ts';
export type { WayOut } from './way-out.ts';
