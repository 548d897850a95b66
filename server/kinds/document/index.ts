export { checkExamples, readExamples } from './examples.ts';
export { overviewOf } from './overview.ts';
export { MOST_DESCRIPTION, readShape } from './rules.ts';
