import { HttpUrl, wholeNumber } from "@parley/service/configuration"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { typedFlag } from "./console/typed.ts"

const chat = Command.make(
  "chat",
  {
    port: typedFlag("port", wholeNumber(0, 65_535)).pipe(
      Flag.withMetavar("integer"),
      Flag.withDescription("The port to listen on, on this machine only; 0 takes a free one (4010)"),
      Flag.withDefault(4010)
    ),
    webhookUrl: typedFlag("webhook-url", HttpUrl).pipe(
      Flag.withDescription("Where to deliver what happens: the webhookUrl of a chat account"),
      Flag.optional
    ),
    appSecret: Flag.String("app-secret").pipe(
      Flag.withDescription("What deliveries are signed with (simulator-app-secret)"),
      Flag.withDefault("simulator-app-secret")
    ),
    autoReply: Flag.String("auto-reply").pipe(
      Flag.withDescription("What customers answer to every message"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ appSecret, autoReply, port, webhookUrl }) {
    const { startChatSimulator } = yield* Effect.promise(() => import("@parley/testkit/simulators/chat"))
    const { url } = yield* startChatSimulator({
      port,
      webhook: Option.match(webhookUrl, { onNone: () => null, onSome: (address) => ({ url: address, appSecret }) }),
      autoReplies: Option.match(autoReply, { onNone: () => [], onSome: (reply) => [{ reply }] })
    })
    yield* Console.log(`The simulated chat provider listens at ${url}; it is scripted at ${url}/simulator/.`)
    return yield* Effect.never
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Run a chat provider that speaks the WhatsApp Cloud API on this machine, until it is told to stop"
  ),
  Command.withExamples([
    {
      command: "parley simulator chat --auto-reply 'Thanks!'",
      description: "The service finds it with PARLEY_CHAT_API_URL=http://127.0.0.1:4010"
    }
  ])
)

/** The providers that can be simulated. */
export const simulator = Command.make("simulator").pipe(
  Command.withDescription("Providers, simulated on this machine: chat"),
  Command.withSubcommands([chat])
)
