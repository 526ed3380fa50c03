import { ShopDomain } from "@parley/domain"
import { HttpUrl, wholeNumber } from "@parley/service/configuration"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { typedFlag } from "../console/typed.ts"

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

const most = 10_000_000

const store = Command.make(
  "store",
  {
    port: typedFlag("port", wholeNumber(0, 65_535)).pipe(
      Flag.withMetavar("integer"),
      Flag.withDescription("The port to listen on, on this machine only; 0 takes a free one (4020)"),
      Flag.withDefault(4020)
    ),
    shop: typedFlag("shop", ShopDomain).pipe(
      Flag.withDescription("The address of the shop that there is (parley-demo.myshopify.com)"),
      Flag.optional
    ),
    customers: typedFlag("customers", wholeNumber(0, most)).pipe(
      Flag.withMetavar("integer"),
      Flag.withDescription("How many customers the shop has (200)"),
      Flag.optional
    ),
    orders: typedFlag("orders", wholeNumber(0, most)).pipe(
      Flag.withMetavar("integer"),
      Flag.withDescription("How many orders were placed there within the last year (600)"),
      Flag.optional
    ),
    traffic: typedFlag("traffic", wholeNumber(1, 86_400)).pipe(
      Flag.withMetavar("seconds"),
      Flag.withDescription(
        "How often somebody buys, leaves a cart or has money given back; nobody does unless it is said"
      ),
      Flag.optional
    ),
    clientId: Flag.String("client-id").pipe(
      Flag.withDescription("What the app is known by (simulator-client)"),
      Flag.withDefault("simulator-client")
    ),
    clientSecret: Flag.String("client-secret").pipe(
      Flag.withDescription("What is signed with, and what tokens are asked for with (simulator-client-secret)"),
      Flag.withDefault("simulator-client-secret")
    ),
    complianceUrl: typedFlag("compliance-url", HttpUrl).pipe(
      Flag.withDescription("Where requests about personal data are delivered"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ clientId, clientSecret, complianceUrl, customers, orders, port, shop, traffic }) {
    const { defaultShop, startStoreSimulator } = yield* Effect.promise(() => import("@parley/testkit/simulators/store"))
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
    yield* Console.log(`There is a shop at ${url}/${domain}.`)
    return yield* Effect.never
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Run a store provider that speaks Shopify's protocol on this machine, until it is told to stop"
  ),
  Command.withExamples([
    {
      command: "parley simulator store --orders 1000000 --traffic 5",
      description: "A shop with a million orders, where somebody does something every five seconds"
    }
  ])
)

export const simulator = Command.make("simulator").pipe(Command.withSubcommands([chat, store]))
