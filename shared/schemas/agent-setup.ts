import Type, { type Static } from 'typebox';

const CLOSED = { additionalProperties: false } as const;

const AgentClientSchema = Type.Object(
  {
    client: Type.String({
      description: 'The name of the client, as in `cuebook connect`.',
      examples: ['cursor'],
    }),
    title: Type.String({ description: 'The display name of the client.' }),
    file: Type.String({
      description:
        'The configuration file of the client. A path without a folder is relative to the folder that the client opens.',
    }),
    config: Type.Record(Type.String(), Type.Unknown(), { description: 'The content of the file.' }),
    link: Type.Optional(
      Type.String({
        description: 'A link that opens the client and offers to add the server. Only some clients support one.',
      }),
    ),
    then: Type.String({ description: 'What to do once the file is written.' }),
  },
  CLOSED,
);

/** How to configure agents' clients on this machine to use the service. */
export const AgentSetupSchema = Type.Object(
  {
    name: Type.String({ description: 'The name of the server in each configuration.' }),
    clients: Type.Array(AgentClientSchema, { description: 'The supported clients.' }),
    bundle: Type.Union([Type.String(), Type.Null()], {
      description:
        'The name below `/assets/` of the `.mcpb` bundle, for clients that install bundles with a click; null if it was not built.',
    }),
  },
  CLOSED,
);

export type AgentSetup = Static<typeof AgentSetupSchema>;
