#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launch } from './launch.js';

const SOURCES = fileURLToPath(new URL('../server/main.ts', import.meta.url));
/** What an installed package has instead: Node runs no TypeScript below node_modules. */
const BUNDLE = fileURLToPath(new URL('../dist/server/server.main.js', import.meta.url));

launch(existsSync(SOURCES) ? SOURCES : BUNDLE, process.argv.slice(2), { tied: true });
