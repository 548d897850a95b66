export { createMcpFace, type McpFace, type McpFaceOptions } from './face.ts';
