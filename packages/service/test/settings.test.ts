import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import { withholdsMetrics } from "../src/addresses.ts"
import { strayVariables } from "../src/environment.ts"
import { readSettings } from "../src/readSettings.ts"
import { catalogue } from "../src/settings.ts"

const inEnvironment = (environment: Record<string, string>) =>
  Effect.provide([ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment)), NodeServices.layer])

describe("the settings", () => {
  it.effect("are usable without any input", () =>
    Effect.gen(function* () {
      const settings = yield* readSettings({})
      assert.strictEqual(settings.host.value, "127.0.0.1")
      assert.strictEqual(settings.port.value, 8787)
      assert.strictEqual(settings.dataDir.value, ".parley")
      assert.isNull(settings.databaseUrl.value)
      assert.isTrue(Object.values(settings).every(({ source }) => source === "default"))
    }).pipe(inEnvironment({}))
  )

  it.effect("come from the flags first, then from the environment", () =>
    Effect.gen(function* () {
      const settings = yield* readSettings({ port: Option.some("9001") })
      assert.deepStrictEqual([settings.port.value, settings.port.source], [9001, "flag"])
      assert.deepStrictEqual([settings.host.value, settings.host.source], ["0.0.0.0", "environment"])
      assert.deepStrictEqual(settings.corsOrigins.value, ["https://a.example", "http://localhost:3000"])
      assert.strictEqual(settings.baseUrl.value, "https://parley.example")
    }).pipe(
      inEnvironment({
        PARLEY_PORT: "9000",
        PARLEY_HOST: " 0.0.0.0 ",
        PARLEY_CORS_ORIGINS: "https://a.example, http://localhost:3000",
        PARLEY_BASE_URL: "https://parley.example/",
        PARLEY_DATA_DIR: ""
      })
    )
  )

  it.effect("report all errors together: variable, expected value and actual value", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(readSettings({ logFormat: Option.some("xml") }))
      assert.strictEqual(failure._tag, "WrongConfiguration")
      assert.deepStrictEqual(failure.message.split("\n"), [
        'PARLEY_PORT: expected a port from 1 to 65535, got "http"',
        'PARLEY_CORS_ORIGINS: expected origins such as https://app.example,https://admin.example, got "app.example"',
        '--log-format: expected pretty or json, got "xml"'
      ])
    }).pipe(inEnvironment({ PARLEY_PORT: "http", PARLEY_CORS_ORIGINS: "app.example" }))
  )

  it.effect("are a usage error when only flags are invalid", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(readSettings({ port: Option.some("0") }))
      assert.strictEqual(failure._tag, "WrongUsage")
    }).pipe(inEnvironment({}))
  )

  it.effect("never show a secret, right or wrong", () =>
    Effect.gen(function* () {
      const settings = yield* readSettings({})
      assert.strictEqual(settings.databaseUrl.shown, "(hidden)")
      assert.strictEqual(
        settings.databaseUrl.value && Redacted.value(settings.databaseUrl.value),
        "postgres://a:hush@b/c"
      )
      const failure = yield* Effect.flip(readSettings({ databaseUrl: Option.some("mysql://a:hush@b/c") }))
      assert.notInclude(failure.message, "hush")
      assert.include(failure.message, "--database-url: expected an address such as postgres://")
    }).pipe(inEnvironment({ PARLEY_DATABASE_URL: "postgres://a:hush@b/c" }))
  )

  it.effect("notice a variable that is spelled wrong", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* strayVariables, ["PARLEY_DATABSE_URL"])
    }).pipe(inEnvironment({ PARLEY_DATABSE_URL: "x", PARLEY_PORT: "9000", PATH: "/bin" }))
  )

  it("have one variable each, and one flag if any", () => {
    const all = Object.values(catalogue)
    const flags = all.flatMap(({ flag }) => flag ?? [])
    assert.strictEqual(new Set(all.map(({ variable }) => variable)).size, all.length)
    assert.strictEqual(new Set(flags).size, flags.length)
  })
})

describe("the metrics on the API port", () => {
  const withheld = (environment: Record<string, string>) =>
    Effect.map(readSettings({}), withholdsMetrics).pipe(inEnvironment(environment))

  it.effect("are hidden when other machines can reach it, unless they have a token or a separate port", () =>
    Effect.gen(function* () {
      const token = { PARLEY_METRICS_TOKEN: "0123456789abcdef" }
      const port = { PARLEY_METRICS_PORT: "9100" }
      for (const environment of [{}, { PARLEY_HOST: "localhost" }, { PARLEY_HOST: "::1" }]) {
        assert.isFalse(yield* withheld(environment), JSON.stringify(environment))
      }
      for (const environment of [
        { PARLEY_HOST: "0.0.0.0" },
        { PARLEY_HOST: "10.0.0.7" },
        { PARLEY_BASE_URL: "https://parley.example" },
        { PARLEY_TRUSTED_PROXY_HOPS: "1" }
      ]) {
        assert.isTrue(yield* withheld(environment), JSON.stringify(environment))
        assert.isFalse(yield* withheld({ ...environment, ...token }))
        assert.isFalse(yield* withheld({ ...environment, ...port }))
      }
    })
  )

  it.effect("reject a short token", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(readSettings({}))
      assert.include(failure.message, "PARLEY_METRICS_TOKEN")
    }).pipe(inEnvironment({ PARLEY_METRICS_TOKEN: "short" }))
  )
})
