export { type CaseResult, type Score, scoreOf, type Variant } from './score.ts';
export { costOf, type Price, type Prices, readUsage } from './usage.ts';
export { dependsOnDocument, whyNotEvaluated } from './why-not-evaluated.ts';
