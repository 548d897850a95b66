export { createFolders, type ExportedPlaybook, type FolderChanges, type Folders } from './folders.ts';
export { folderOperations } from './operations.ts';
export type { DefinitionChange, FolderDefinition } from './plan.ts';
