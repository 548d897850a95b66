/** What the bundle says of itself. Its tools are left to the server: what there is depends on its settings. */
export function manifest(version: string, platform: NodeJS.Platform) {
  return {
    manifest_version: '0.3',
    name: 'cuebook',
    display_name: 'Cuebook',
    version,
    description: 'A local-first runtime for agent playbooks',
    long_description:
      'Lets an agent write small, versioned functions and workflows, run them, and read back everything that a run did. Everything stays on this machine, where the command cuebook keeps it too.',
    author: { name: 'Cuebook' },
    license: 'Apache-2.0',
    server: {
      type: 'node',
      entry_point: 'bin/cuebook.js',
      mcp_config: { command: 'node', args: ['${__dirname}/bin/cuebook.js', 'mcp'], env: {} },
    },
    tools_generated: true,
    compatibility: { platforms: [platform], runtimes: { node: '>=22.18.0' } },
  };
}
