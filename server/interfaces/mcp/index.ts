export { instructions } from './instructions.ts';
export { announcing, type ToolChanges } from './announcing.ts';
export { createMcpFace, type McpFace, type McpFaceOptions } from './face.ts';
