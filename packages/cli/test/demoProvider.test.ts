import { NodeServices } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { readSettings } from "@parley/service/configuration"
import { ConfigProvider, Effect, FileSystem, Redacted } from "effect"
import { withCommands } from "../src/commands/chatAccounts/onboarding.ts"
import { writeDemoFile } from "../src/demo/demoFile.ts"
import { withDemoProvider } from "../src/parley.ts"

const simulator = "http://127.0.0.1:40123"

/** URL of the chat provider for a command in the folder of a demo. */
const urlOf = Effect.fnUntraced(function* (environment: Record<string, string>, running: string | null) {
  const folder = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
  const password = Redacted.make("demo-password")
  yield* writeDemoFile(folder, { address: "http://127.0.0.1:8787", password, simulator: running, users: [] })
  const config = ConfigProvider.fromEnvRecord({ PARLEY_DATA_DIR: folder, ...environment })
  const settings = yield* Effect.flatMap(readSettings({}), withDemoProvider).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, config)
  )
  return settings.chatApiUrl.value
})

describe("a command in the folder of a demo", () => {
  layer(NodeServices.layer)((it) => {
    it.effect("calls the simulator of the demo, unless the settings name another provider or database", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* urlOf({}, simulator), simulator)
        assert.isNull(yield* urlOf({}, null))
        const own = "http://127.0.0.1:4010"
        assert.strictEqual(yield* urlOf({ PARLEY_CHAT_API_URL: own }, simulator), own)
        assert.isNull(yield* urlOf({ PARLEY_DATABASE_URL: "postgres://127.0.0.1/parley" }, simulator))
      })
    )

    it("names commands instead of calls in the next steps of a number", () => {
      assert.strictEqual(
        withCommands("Register it with POST /chat_accounts/:id/register."),
        "Register it with parley chat-accounts register."
      )
    })
  })
})
