export { ALWAYS, documentOf, OF_COMMANDS, OF_UPLOADS, openapiDocument, uploadWords } from './document.ts';
