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

/** Configuration for the three kinds of tool servers, to copy. */
export function SetUp() {
  return (
    <Stack gap="xs">
      <Text size="sm">
        Or add a server to <code>cuebook.yaml</code> in the data directory (<code>npx cuebook doctor</code> shows
        where): a local program, a remote MCP server, or an HTTP API with an OpenAPI document. A running server picks up
        the change within a second.
      </Text>
      <CodeBlock text={SERVERS} label="Configuration for cuebook.yaml" />
    </Stack>
  );
}
