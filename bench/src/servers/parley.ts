import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { layerWorkers } from "@parley/domain"
import { Server, settings } from "@parley/http-adapter/server"
import { Config, Effect, Layer, Option, Schema } from "effect"
import { HttpServer } from "effect/http"
import { ShopGrounds } from "../stores/shops.ts"
import { layerPorts } from "../tenants/ports.ts"
import { serveUntilLeft } from "./serveUntilLeft.ts"
import { setup } from "./Setup.ts"

const Chat = Schema.Struct({
  url: Schema.String,
  appId: Schema.String,
  appSecret: Schema.String,
  timeoutMillis: Schema.optionalKey(Schema.Int)
})

const own = Config.unwrap({
  masterKeys: Config.Redacted("BENCH_MASTER_KEYS"),
  trustedProxyHops: Config.Int("BENCH_TRUSTED_PROXY_HOPS").pipe(Config.withDefault(0)),
  hasWorkers: Config.Boolean("BENCH_WORKERS").pipe(Config.withDefault(true)),
  chat: Config.option(Config.schema(Schema.fromJsonString(Chat), "BENCH_CHAT")),
  shops: Config.option(Config.schema(Schema.fromJsonString(ShopGrounds), "BENCH_SHOPS"))
})

const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { databaseUrl, limits, poolSize, port, sharesPort } = yield* setup
    const { chat, hasWorkers, masterKeys, shops, trustedProxyHops } = yield* own
    const outside = {
      ...(Option.isSome(chat) && { chat: chat.value }),
      ...(Option.isSome(shops) && { shops: shops.value })
    }
    const rateLimits = {
      tokenPerMinute: limits.token,
      organizationPerMinute: limits.organization,
      addressPerMinute: 600
    }
    return Server.layer(settings({ port, sharesPort, accessLog: false, trustedProxyHops, rateLimits })).pipe(
      Layer.provide(hasWorkers ? layerWorkers() : Layer.empty),
      Layer.provide(layerPorts({ databaseUrl, masterKeys, poolSize, ...outside }))
    )
  })
)

HttpServer.HttpServer.pipe(
  Effect.flatMap(({ address }) => ("port" in address ? serveUntilLeft(address.port) : Effect.die(address))),
  Effect.provide([layer, NodeServices.layer]),
  NodeRuntime.runMain
)
