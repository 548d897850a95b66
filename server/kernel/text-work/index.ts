export { createTextWork, LARGE_BYTES, type TextWork, textWorkOf } from './text-work.ts';
