import { ShopDomain } from "@parley/domain/commerce"
import { HttpUrl, wholeNumber } from "@parley/service/configuration"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { typedFlag } from "../console/typed.ts"

const chat = Command.make(
  "chat",
  {
    port: typedFlag("port", wholeNumber(0, 65_535)).pipe(
      Flag.withMetavar("integer"),
      Flag.withDescription("Port on 127.0.0.1; 0 for a free one (4010)"),
      Flag.withDefault(4010)
    ),
    webhookUrl: typedFlag("webhook-url", HttpUrl).pipe(
      Flag.withDescription("URL for deliveries: the webhookUrl of a chat account"),
      Flag.optional
    ),
    appSecret: Flag.String("app-secret").pipe(
      Flag.withDescription("Secret that signs deliveries (simulator-app-secret)"),
      Flag.withDefault("simulator-app-secret")
    ),
    autoReply: Flag.String("auto-reply").pipe(
      Flag.withDescription("Text that customers answer to every message"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ appSecret, autoReply, port, webhookUrl }) {
    const { startChatSimulator } = yield* Effect.promise(() => import("@parley/simulators/chat"))
    const { url } = yield* startChatSimulator({
      port,
      webhook: Option.match(webhookUrl, { onNone: () => null, onSome: (address) => ({ url: address, appSecret }) }),
      autoReplies: Option.match(autoReply, { onNone: () => [], onSome: (reply) => [{ reply }] })
    })
    yield* Console.log(`The simulated chat provider listens at ${url}; it is scripted at ${url}/simulator/.`)
    return yield* Effect.never
  }, Effect.scoped)
).pipe(
  Command.withDescription("Run a simulated WhatsApp Cloud API on this machine, until SIGTERM or Ctrl-C"),
  Command.withExamples([
    {
      command: "parley simulator chat --auto-reply 'Thanks!'",
      description: "Set PARLEY_CHAT_API_URL=http://127.0.0.1:4010 for the service"
    }
  ])
)

const most = 10_000_000

const store = Command.make(
  "store",
  {
    port: typedFlag("port", wholeNumber(0, 65_535)).pipe(
      Flag.withMetavar("integer"),
      Flag.withDescription("Port on 127.0.0.1; 0 for a free one (4020)"),
      Flag.withDefault(4020)
    ),
    shop: typedFlag("shop", ShopDomain).pipe(
      Flag.withDescription("Address of the shop (parley-demo.myshopify.com)"),
      Flag.optional
    ),
    customers: typedFlag("customers", wholeNumber(0, most)).pipe(
      Flag.withMetavar("integer"),
      Flag.withDescription("Number of customers of the shop (200)"),
      Flag.optional
    ),
    orders: typedFlag("orders", wholeNumber(0, most)).pipe(
      Flag.withMetavar("integer"),
      Flag.withDescription("Number of orders of the last year (600)"),
      Flag.optional
    ),
    traffic: typedFlag("traffic", wholeNumber(1, 86_400)).pipe(
      Flag.withMetavar("seconds"),
      Flag.withDescription("Interval of purchases, abandoned carts and refunds. Default: none"),
      Flag.optional
    ),
    clientId: Flag.String("client-id").pipe(
      Flag.withDescription("Client id of the app (simulator-client)"),
      Flag.withDefault("simulator-client")
    ),
    clientSecret: Flag.String("client-secret").pipe(
      Flag.withDescription("Client secret, which signs deliveries and obtains tokens (simulator-client-secret)"),
      Flag.withDefault("simulator-client-secret")
    ),
    complianceUrl: typedFlag("compliance-url", HttpUrl).pipe(
      Flag.withDescription("URL for requests about personal data"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ clientId, clientSecret, complianceUrl, customers, orders, port, shop, traffic }) {
    const { defaultShop, startStoreSimulator } = yield* Effect.promise(() => import("@parley/simulators/store"))
    const domain = Option.getOrElse(shop, () => defaultShop.domain)
    const { url } = yield* startStoreSimulator({
      port,
      app: { clientId, clientSecret, complianceUrl: Option.getOrNull(complianceUrl) },
      shops: [
        {
          ...defaultShop,
          domain,
          ...Option.match(customers, { onNone: () => ({}), onSome: (count) => ({ customers: count }) }),
          ...Option.match(orders, { onNone: () => ({}), onSome: (count) => ({ orders: count }) })
        }
      ],
      ...Option.match(traffic, { onNone: () => ({}), onSome: (seconds) => ({ trafficMillis: seconds * 1_000 }) })
    })
    yield* Console.log(`The simulated store provider listens at ${url}; it is scripted at ${url}/simulator/.`)
    yield* Console.log(`The shop is at ${url}/${domain}.`)
    return yield* Effect.never
  }, Effect.scoped)
).pipe(
  Command.withDescription("Run a simulated Shopify on this machine, until SIGTERM or Ctrl-C"),
  Command.withExamples([
    {
      command: "parley simulator store --orders 1000000 --traffic 5",
      description: "A shop with a million orders and an action every five seconds"
    }
  ])
)

export const simulator = Command.make("simulator").pipe(Command.withSubcommands([chat, store]))
