#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { launch } from './launch.js';

launch(fileURLToPath(new URL('../server/main.ts', import.meta.url)), process.argv.slice(2), { tied: true });
