export const description = 'The files that were seen, with the time of their newest version.';

export const input = { type: 'object', additionalProperties: false, properties: {} };
export const output = { shape: 'table' };
export const reads = [{ events: { type: 'file.seen' } }];
export const initial = { files: {} };
export const examples = [
  {
    name: 'a file in two versions',
    events: [
      { type: 'file.seen', data: { name: 'a.csv', modified: '2026-01-05T09:00:00Z' } },
      { type: 'file.seen', data: { name: 'b.csv', modified: '2026-01-05T10:00:00Z' } },
      { type: 'file.seen', data: { name: 'a.csv', modified: '2026-01-06T09:00:00Z' } },
    ],
    input: {},
    output: {
      columns: [
        { key: 'name', title: 'File' },
        { key: 'modified', title: 'Changed' },
        { key: 'versions', title: 'Versions' },
      ],
      rows: [
        { name: 'a.csv', modified: '2026-01-06T09:00:00Z', versions: 2 },
        { name: 'b.csv', modified: '2026-01-05T10:00:00Z', versions: 1 },
      ],
    },
  },
];

export function evolve(state, event) {
  const { name, modified } = event.event.data;
  state.files[name] = { modified, versions: (state.files[name]?.versions ?? 0) + 1 };
  return state;
}

export function answer(state) {
  const rows = Object.entries<{ modified: string; versions: number }>(state.files)
    .map(([name, file]) => ({ name, ...file }))
    .toSorted((a, b) => b.modified.localeCompare(a.modified));
  return {
    columns: [
      { key: 'name', title: 'File' },
      { key: 'modified', title: 'Changed' },
      { key: 'versions', title: 'Versions' },
    ],
    rows,
  };
}
