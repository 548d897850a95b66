import Type, { type Static } from 'typebox';
import { list, object, optional, orNull, text } from './fields.ts';

const AgentClientSchema = object({
  client: text('The name of the client, as in `cuebook connect`.', { examples: ['cursor'] }),
  title: text('The display name of the client.'),
  file: text(
    'The configuration file of the client. A path without a folder is relative to the folder that the client opens.',
  ),
  config: Type.Record(Type.String(), Type.Unknown(), { description: 'The content of the file.' }),
  link: optional(text('A link that opens the client and offers to add the server. Only some clients support one.')),
  then: text('What to do once the file is written.'),
});

/** How to configure agents' clients on this machine to use the service. */
export const AgentSetupSchema = object({
  name: text('The name of the server in each configuration.'),
  clients: list('The supported clients.', AgentClientSchema),
  bundle: orNull(
    'The name below `/assets/` of the `.mcpb` bundle, for clients that install bundles with a click; null if it was not built.',
    Type.String(),
  ),
});

export type AgentSetup = Static<typeof AgentSetupSchema>;
