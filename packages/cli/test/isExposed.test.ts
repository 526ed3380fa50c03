import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { isExposed, readSettings } from "@parley/service/configuration"
import { ConfigProvider, Effect } from "effect"

const exposureOf = (environment: Record<string, string>) =>
  Effect.map(readSettings({}), isExposed).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
    Effect.provide(NodeServices.layer)
  )

describe("a service", () => {
  it.effect.each([
    {},
    { PARLEY_HOST: "127.8.8.8" },
    { PARLEY_HOST: "::1" },
    { PARLEY_HOST: "localhost", PARLEY_BASE_URL: "http://localhost:9000" },
    { PARLEY_BASE_URL: "http://[::1]:9000" }
  ])("is for this machine alone with %j", (environment) =>
    Effect.gen(function* () {
      assert.isFalse(yield* exposureOf(environment))
    })
  )

  it.effect.each([
    { PARLEY_HOST: "0.0.0.0" },
    { PARLEY_HOST: "::" },
    { PARLEY_HOST: "192.168.1.10" },
    { PARLEY_HOST: "127.0.0.1.example" },
    { PARLEY_BASE_URL: "https://parley.example" },
    { PARLEY_TRUSTED_PROXY_HOPS: "1" }
  ])("can be reached by others with %j", (environment) =>
    Effect.gen(function* () {
      assert.isTrue(yield* exposureOf(environment))
    })
  )
})
