import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { createContext, runInContext } from "node:vm"
import { Browser, inBrowser, openPage } from "../docs/Browser.ts"
import { type Bundle, bundleClient } from "./bundle.ts"
import { ForeignPage, givenLogin, layer as layerLive } from "./liveService.ts"

class ClientBundle extends Context.Service<ClientBundle, Bundle>()("@parley/http-adapter/test/client/ClientBundle") {
  static readonly layer = Layer.effect(
    ClientBundle,
    Effect.promise(() => bundleClient())
  )
}

/** Script of a page: it logs in, creates an automation twice with one key and requests a feature that its plan lacks. */
const visit = `(async ({ baseUrl, email, password }) => {
  const { ParleyClient } = Parley
  const { accessToken, organizations, refreshToken } = await ParleyClient.promise({ baseUrl }).sessions.login({ payload: { email, password } })
  const parley = ParleyClient.promise({ baseUrl, token: accessToken, refreshToken, organizationId: organizations[0].id })
  const key = { idempotencyKey: "from-a-browser" }
  const first = await parley.automations.create({ payload: { name: "From a browser" } }, key)
  const second = await parley.automations.create({ payload: { name: "From a browser" } }, key)
  const missing = await parley.automations.get({ params: { id: organizations[0].id } }).catch((error) => error._tag)
  return JSON.stringify([first.name, first.id === second.id, missing])
})`

const seen = JSON.stringify(["From a browser", true, "NotFound"])

/** Globals that a page and Node share, and none that only Node has. */
const webGlobals = Object.fromEntries(
  [
    "AbortController",
    "AbortSignal",
    "ArrayBuffer",
    "Blob",
    "clearInterval",
    "clearTimeout",
    "console",
    "crypto",
    "fetch",
    "File",
    "FormData",
    "Headers",
    "MessageChannel",
    "performance",
    "queueMicrotask",
    "ReadableStream",
    "Request",
    "Response",
    "setInterval",
    "setTimeout",
    "structuredClone",
    "TextDecoder",
    "TextEncoder",
    "TransformStream",
    "Uint8Array",
    "URL",
    "URLSearchParams",
    "WritableStream"
  ].map((name) => [name, Reflect.get(globalThis, name)])
)

layer(Layer.mergeAll(layerLive, ClientBundle.layer), { excludeTestServices: true, timeout: "60 seconds" })(
  "the typed client, bundled for a browser,",
  (it) => {
    it.effect("needs nothing of Node and nothing of the server", () =>
      Effect.gen(function* () {
        const { imports, modules, warnings } = yield* ClientBundle
        assert.deepStrictEqual([imports, warnings], [[], []])
        assert.isNotEmpty(modules)
        const wrong = modules.filter((id) => /node:|platform-node|\/server\/|postgres|provider-adapters/.test(id))
        assert.deepStrictEqual(wrong, [])
      })
    )

    it.effect("works with nothing but what the web has", () =>
      Effect.gen(function* () {
        const { code } = yield* ClientBundle
        const login = yield* givenLogin()
        const page = createContext({ ...webGlobals })
        runInContext(code, page)
        const found = yield* Effect.promise(async (): Promise<unknown> => runInContext(visit, page)(login))
        assert.strictEqual(found, seen)
      })
    )

    inBrowser(() =>
      describe("in Chromium", () => {
        it.effect(
          "works from a page of another origin",
          () =>
            Effect.gen(function* () {
              const { code } = yield* ClientBundle
              const login = yield* givenLogin()
              const { page } = yield* openPage()
              const { origin } = yield* ForeignPage
              const found = yield* Effect.promise(async () => {
                await page.goto(`${origin}/`)
                await page.addScriptTag({ content: code })
                return page.evaluate(`${visit}(${JSON.stringify(login)})`)
              })
              assert.strictEqual(found, seen)
            }).pipe(Effect.scoped, Effect.provide(Browser.layer)),
          60_000
        )
      })
    )
  }
)
