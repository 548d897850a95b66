import { Stack, Text } from '@mantine/core';
import { CodeBlock } from '../../ui/code-block.tsx';

const SERVERS = `tool_servers:
  files:
    type: stdio
    command: npx
    args: ["-y", "@modelcontextprotocol/server-filesystem", "/srv/docs"]
  # tracker:
  #   type: mcp
  #   url: https://tracker.example.com/mcp
  #   headers: { Authorization: "Bearer \${TRACKER_TOKEN}" }
  # billing:
  #   type: openapi
  #   document: https://billing.example.com/openapi.json
`;

/** The three kinds of tool servers, as lines to copy. */
export function SetUp() {
  return (
    <Stack gap="xs">
      <Text size="sm">
        Or name a server in <code>cuebook.yaml</code> in the data directory (<code>npx cuebook doctor</code> says
        where): a program, a remote MCP server, or an HTTP API with an OpenAPI document. A running Cuebook notices
        within a second.
      </Text>
      <CodeBlock text={SERVERS} label="Lines for cuebook.yaml" />
    </Stack>
  );
}
