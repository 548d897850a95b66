/** The manifest of the bundle. It lists no tools, because the tools depend on the settings of the server. */
export function manifest(version: string, platform: NodeJS.Platform) {
  return {
    manifest_version: '0.3',
    name: 'cuebook',
    display_name: 'Cuebook',
    version,
    description: 'A local-first runtime for agent playbooks',
    long_description:
      'Lets an agent write small, versioned functions and workflows, run them, and read the complete history of every run. All data stays on this machine, in the same data directory as that of the cuebook command.',
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
