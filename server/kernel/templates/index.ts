export { createTemplates, type Rendered, type TemplateCheck, type Templates } from './templates.ts';
