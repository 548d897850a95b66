export { ambientDeclarations, type EventKind } from './ambient.ts';
export { declarationsOf } from './declarations.ts';
export type {
  CheckDone,
  Folded,
  FoldEnded,
  NotFolded,
  Position,
  ProgramForm,
  ProgramIssue,
  RunDone,
  RunStopped,
} from './job.ts';
export { createSandbox, type Sandbox } from './sandbox.ts';
export { createTypeChecker, type TypeChecker } from './type-checker.ts';
