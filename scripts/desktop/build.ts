// Builds what the desktop app holds: the studio, and into dist/desktop the server, the app's process and its preload.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildStudio } from '../build-studio.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PARTS = ['server', 'app', 'preload'];

export async function buildDesktop(): Promise<void> {
  await buildStudio();
  const { build } = await import('vite');
  rmSync(path.join(ROOT, 'dist/desktop'), { recursive: true, force: true });
  for (const mode of PARTS) await build({ configFile: path.join(ROOT, 'electron/vite.config.ts'), mode });
}

if (import.meta.main) await buildDesktop();
