// Makes reports.json from birdstrikes.csv of the npm package vega-datasets: node prepare.ts BIRDSTRIKES_CSV > reports.json
// See ../DATA.md for what is selected.
import { readFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node prepare.ts BIRDSTRIKES_CSV > reports.json');

const text = readFileSync(file, 'utf8');
if (text.includes('"')) throw new Error('This file quotes fields; the one of vega-datasets 3.2.1 does not.');
const [header = '', ...lines] = text.trimEnd().split(/\r?\n/);
const columns = header.split(',');

const records = lines
  .map((line, index) => {
    const cells = line.split(',');
    if (cells.length !== columns.length) throw new Error(`Row ${index + 1} has ${cells.length} fields.`);
    const cell = (column: string): string => {
      const value = cells[columns.indexOf(column)];
      if (value === undefined) throw new Error(`There is no column ${column}.`);
      return value;
    };
    const cost = Number(cell('Cost Total $'));
    const speed = cell('Speed IAS in knots');
    return {
      state: cell('Origin State'),
      record: {
        id: `WS-${String(index + 1).padStart(5, '0')}`,
        date: cell('Flight Date'),
        airport: cell('Airport Name'),
        operator: cell('Aircraft Airline Operator'),
        aircraft: cell('Aircraft Make Model'),
        phase: cell('Phase of flight'),
        light: cell('Time of day'),
        species: cell('Wildlife Species'),
        size: cell('Wildlife Size'),
        damage: cell('Effect Amount of damage'),
        ...(cost > 0 && { cost_usd: cost }),
        ...(speed !== '' && { speed_kt: Number(speed) }),
      },
    };
  })
  .filter(({ state }) => state === 'California')
  .map(({ record }) => record)
  .toSorted((a, b) => (a.date === b.date ? a.id.localeCompare(b.id, 'en') : a.date.localeCompare(b.date, 'en')));

process.stdout.write(`{"records":[\n${records.map((record) => JSON.stringify(record)).join(',\n')}\n]}\n`);
