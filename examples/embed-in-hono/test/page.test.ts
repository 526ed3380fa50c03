import { assert, describe, it } from "@effect/vitest"
import { channelFor } from "@parley/domain"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { layer as layerWhatsApp } from "@parley/provider-adapters/chat/whatsapp"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { defaultNumbers, startChatSimulator } from "@parley/simulators/chat"
import { Effect, Layer, Redacted, Schedule, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const example = join(import.meta.dirname, "..")
const root = join(example, "../..")
const page = readFileSync(join(root, "docs/embedding.md"), "utf8")

/** The files of the page, each named by its first line, and what running one prints. */
const files = Array.from(page.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms), ([, name = "", text = ""]) => ({
  name,
  text
}))
const [, printed = ""] = /^```text\n(.*?)^```$/ms.exec(page) ?? []

const tsconfig = {
  extends: "../../../tsconfig.base.json",
  references: [{ path: "../../../tsconfig.packages.json" }],
  include: ["*.ts"],
  compilerOptions: {
    rootDir: ".",
    noEmit: true,
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true,
    tsBuildInfoFile: "page.tsbuildinfo",
    types: ["node"]
  }
}

/** The page's files in a separate folder inside the example, because they use the imports of the example. */
const written = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(example, ".page-"))
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig))
    for (const { name, text } of files) writeFileSync(join(folder, name), text)
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

interface Running {
  readonly said: () => string
  readonly ended: Promise<number | null>
  readonly stop: () => void
}

const start = (folder: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(
    Effect.sync((): Running => {
      const child = spawn(process.execPath, [...args], { cwd: folder, env: { PATH: "/usr/bin:/bin", ...env } })
      let input = ""
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          input += text
        })
      }
      return {
        said: () => input,
        ended: new Promise((resolve) => child.once("close", resolve)),
        stop: () => void child.kill("SIGTERM")
      }
    }),
    ({ ended, stop }) =>
      Effect.promise(() => {
        stop()
        return ended
      })
  )

const run = Effect.fnUntraced(function* (folder: string, ...args: ReadonlyArray<string>) {
  const { ended, said: input } = yield* start(folder, args)
  return { code: yield* Effect.promise(() => ended), said: input() }
})

const until = <A>(ask: Effect.Effect<A>, isSo: (answer: A) => boolean) =>
  Effect.repeat(ask, { while: (answer) => !isSo(answer), schedule: Schedule.spaced("50 millis") })

const Told = Schema.Struct({ conversationId: Schema.String, id: Schema.String, status: Schema.String })

const call = (url: string, body?: unknown) =>
  Effect.promise(async () => {
    const answer = await fetch(url, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
    return answer.json()
  }).pipe(Effect.flatMap(Schema.decodeUnknownEffect(Told)), Effect.orDie)

const noHandles: ReadonlyMap<string, string> = new Map()

const orderShipped = {
  name: "order_shipped",
  language: "en",
  category: "utility",
  components: { body: { text: "Hello {{1}}, your order is on its way.", examples: { "1": "Carla" } } },
  timeToLive: null,
  handles: noHandles
} as const

describe("docs/embedding.md", () => {
  it.live(
    "compiles as it is printed, and its shop sends in memory what it says",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(
          files.map(({ name }) => name),
          ["bakery.ts", "contacts.ts", "try.ts", "main.ts"]
        )
        const folder = yield* written
        const checked = yield* run(folder, join(root, "node_modules/typescript/bin/tsc"), "-b", ".")
        assert.deepStrictEqual(checked, { code: 0, said: "" })
        assert.deepStrictEqual(yield* run(folder, "try.ts"), { code: 0, said: printed })
        assert.deepStrictEqual(yield* run(folder, "contacts.ts"), { code: 0, said: "+4915112345678\n" })
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "runs on PostgreSQL, sends through the provider, and ends well",
    () =>
      Effect.gen(function* () {
        const [number] = defaultNumbers
        if (number === undefined) return assert.fail("the provider has no number")
        const provider = yield* startChatSimulator({ reviewMillis: 0 })
        const line = {
          accessToken: Redacted.make(number.accessToken),
          phoneId: number.phoneId,
          businessId: number.businessId
        }
        yield* Effect.flatMap(channelFor({ provider: "whatsapp" }, "templates"), (templates) =>
          templates.submit(line, orderShipped)
        ).pipe(
          Effect.provide(layerWhatsApp({ baseUrl: provider.url, app: null }).pipe(Layer.provide(FetchHttpClient.layer)))
        )
        const folder = yield* written
        const bakery = yield* start(folder, ["main.ts"], {
          PARLEY_DATABASE_URL: Redacted.value(yield* freshDatabase),
          PARLEY_MASTER_KEYS: Redacted.value(yield* generateMasterKey("k1")),
          PARLEY_CHAT_API_URL: provider.url,
          CHAT_ACCOUNT: number.businessId,
          CHAT_PHONE: number.phoneId,
          CHAT_TOKEN: number.accessToken,
          CHAT_APP_SECRET: "secret"
        })
        const ended = Effect.as(
          Effect.promise(() => bakery.ended),
          "ended"
        )
        const listens = until(Effect.sync(bakery.said), (input) => /listens on \d+/.test(input))
        const greeting = yield* Effect.raceFirst(listens, ended)
        const [, port] = /listens on (\d+)/.exec(greeting) ?? assert.fail(bakery.said())
        const url = `http://127.0.0.1:${port}`
        const result = yield* call(`${url}/orders/shipped`, { name: "Carla", phone: "+49 151 12345678" })
        const { status } = yield* until(
          call(`${url}/messages/${result.conversationId}/${result.id}`),
          ({ status }) => status !== "queued"
        )
        assert.strictEqual(status, "sent")
        assert.deepStrictEqual(
          provider.accepted().map(({ to }) => to),
          ["4915112345678"]
        )
        bakery.stop()
        assert.strictEqual(yield* Effect.promise(() => bakery.ended), 0, bakery.said())
      }).pipe(Effect.scoped),
    120_000
  )
})
