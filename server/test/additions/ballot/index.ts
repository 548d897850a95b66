export { createBallotKind } from './ballot.ts';
