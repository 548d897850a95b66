export { createTemplates, type Templates } from './templates.ts';
