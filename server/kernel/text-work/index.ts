export { createTextWork, type TextWork } from './text-work.ts';
