export { compileExpression, type Program } from './program.ts';
