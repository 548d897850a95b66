export { ALWAYS, documentOf, OF_COMMANDS, openapiDocument } from './document.ts';
