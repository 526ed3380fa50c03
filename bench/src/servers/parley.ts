import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Server, settings } from "@parley/http-adapter/server"
import { Config, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { layerPorts } from "../tenants/ports.ts"
import { serveUntilLeft } from "./serveUntilLeft.ts"
import { setup } from "./Setup.ts"

const own = Config.unwrap({
  masterKeys: Config.Redacted("BENCH_MASTER_KEYS"),
  trustedProxyHops: Config.Int("BENCH_TRUSTED_PROXY_HOPS").pipe(Config.withDefault(0))
})

const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { databaseUrl, limits, poolSize } = yield* setup
    const { masterKeys, trustedProxyHops } = yield* own
    const rateLimits = {
      tokenPerMinute: limits.token,
      organizationPerMinute: limits.organization,
      addressPerMinute: 600
    }
    return Server.layer(settings({ port: 0, accessLog: false, trustedProxyHops, rateLimits })).pipe(
      Layer.provide(layerPorts({ databaseUrl, masterKeys, poolSize }))
    )
  })
)

HttpServer.HttpServer.pipe(
  Effect.flatMap(({ address }) => ("port" in address ? serveUntilLeft(address.port) : Effect.die(address))),
  Effect.provide([layer, NodeServices.layer]),
  NodeRuntime.runMain
)
