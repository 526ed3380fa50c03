import { ChatSettings, layerAreas, layerNoMailer, layerNoStores, type Ports } from "@parley/domain"
import * as Postgres from "@parley/postgres-adapter"
import * as WhatsApp from "@parley/provider-adapters/chat/whatsapp"
import * as Security from "@parley/provider-adapters/security"
import * as Webhooks from "@parley/provider-adapters/webhooks"
import { InMemory } from "@parley/testkit"
import { Config, Effect, Layer, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import * as ScryptHasher from "./ScryptHasher.ts"

/** PostgreSQL where `DATABASE_URL` names one; the memory of this process otherwise. */
const layerStorage = Layer.unwrap(
  Effect.map(Config.option(Config.Redacted("DATABASE_URL")), (url) =>
    Option.match(url, {
      onNone: () => InMemory.layer,
      onSome: (url) =>
        Postgres.layer.pipe(
          Layer.provide(Postgres.Migrations.layer),
          Layer.provide(Postgres.Database.layer({ url, applicationName: "shop" }))
        )
    })
  )
)

/** The keys that encrypt stored secrets. Data in memory can use temporary keys. */
const masterKeys = Effect.gen(function* () {
  const given = yield* Config.option(Config.Redacted("MASTER_KEYS"))
  if (Option.isSome(given)) return given.value
  const url = yield* Config.option(Config.Redacted("DATABASE_URL"))
  return Option.isSome(url) ? yield* Config.Redacted("MASTER_KEYS") : yield* Security.generateMasterKey("memory")
})

const layerSecurity = Layer.unwrap(
  Effect.map(masterKeys, (masterKeys) => Security.layer({ masterKeys, tokens: { issuer: "https://shop.example" } }))
)

const layerChat = Layer.mergeAll(
  WhatsApp.layer().pipe(Layer.provide(FetchHttpClient.layer)),
  Layer.succeed(ChatSettings, { publicUrl: "https://shop.example", platformApp: null })
)

/** The shop invites by links. With a mail server, this is `Smtp.layer` of `@parley/provider-adapters`. */
const layerMail = layerNoMailer("https://shop.example")

/** All dependencies of the use cases: Parley's adapters, with one replaced by the shop's own adapter. */
export const layer = layerAreas.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      layerSecurity,
      layerChat,
      layerMail,
      layerNoStores("https://shop.example"),
      Webhooks.layer({ publicUrl: "https://shop.example" }),
      ScryptHasher.layer
    )
  ),
  Layer.provideMerge(layerStorage)
) satisfies Layer.Layer<Ports, unknown>
