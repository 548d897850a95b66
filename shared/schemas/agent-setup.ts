import Type, { type Static } from 'typebox';

const CLOSED = { additionalProperties: false } as const;

const AgentClientSchema = Type.Object(
  {
    client: Type.String({ description: 'As `cuebook connect` takes it.', examples: ['cursor'] }),
    title: Type.String({ description: 'What people call the client.' }),
    file: Type.String({
      description: 'The file of its configuration; without a folder, in the folder that the client is opened in.',
    }),
    config: Type.Record(Type.String(), Type.Unknown(), { description: 'What stands in the file.' }),
    link: Type.Optional(
      Type.String({ description: 'An address that makes the client ask whether to add the server; some know one.' }),
    ),
    then: Type.String({ description: 'What to do once the file is written.' }),
  },
  CLOSED,
);

/** How agents' clients on this machine are told of the service. */
export const AgentSetupSchema = Type.Object(
  {
    name: Type.String({ description: 'What the server is called in each configuration.' }),
    clients: Type.Array(AgentClientSchema, { description: 'The clients whose configuration is known.' }),
    bundle: Type.Union([Type.String(), Type.Null()], {
      description:
        'The name below `/assets/` of the `.mcpb` bundle, for clients that install one with a click; null where it was not built.',
    }),
  },
  CLOSED,
);

export type AgentSetup = Static<typeof AgentSetupSchema>;
