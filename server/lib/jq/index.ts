export { createExpressions, type Evaluation, type Expressions } from './expressions.ts';
export { wholeExpression } from './whole-expression.ts';
