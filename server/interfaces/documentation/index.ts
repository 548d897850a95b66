export type { Page } from './page.ts';
export { type PageFolder, readPages } from './read-pages.ts';
export { createDocumentation, type Documentation } from './service.ts';
