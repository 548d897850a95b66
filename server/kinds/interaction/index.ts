export { createInteractionKind, type InteractionKindOptions } from './interaction.ts';
export { answerOfText, type TakenText } from './answer-of-text.ts';
