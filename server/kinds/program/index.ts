export { inSource, lookAtProgram, type ProgramTools } from './look-at-program.ts';
export { endProgram, seedOf } from './end-program.ts';
export type { ProgramRules } from './exports.ts';
