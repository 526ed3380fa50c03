import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Browser, inBrowser, openPage } from "../docs/Browser.ts"
import { bundleClient, lightClient } from "./bundle.ts"
import { ForeignPage, givenLogin, layer as layerLive } from "./liveService.ts"

/** A visit of a page: it logs in, makes something twice with one key, reads lists and files, and follows the events. */
const visit = `(async ({ baseUrl, email, password }) => {
  const { createParley } = Parley
  const session = await createParley({ baseUrl }).throwing().sessions.login({ email, password })
  const results = createParley({ baseUrl, session, organizationId: session.organizations[0].id })
  const parley = results.throwing()
  const once = { idempotencyKey: "from-a-browser" }
  const first = await parley.tags.create({ name: "VIP" }, once)
  const second = await results.tags.create({ name: "VIP" }, once)
  const missing = await results.tags.get({ id: session.user.id })
  const body = new Blob(["%PDF-1.7 Rye bread"])
  const file = await parley.media.upload({ body, contentType: "application/pdf" })
  const text = await (await parley.media.download({ id: file.id })).text()
  const types = []
  for await (const { event } of parley.events.list.all({ limit: 1, type: ["tag.*"] })) types.push(event.type)
  const stop = new AbortController()
  const onConnection = (isConnected) => isConnected && parley.tags.create({ name: "Live" })
  for await (const { event } of parley.events.follow({}, { signal: stop.signal, onConnection })) {
    types.push(event.type)
    stop.abort()
  }
  const { retryAfter, requestId } = missing.problem
  const replayed = second.response.headers.get("idempotency-replayed")
  return [first.id === second.data.id, replayed, missing.problem.code, requestId.length, retryAfter, text, types]
})`

const seen = [true, "true", "not_found", 36, null, "%PDF-1.7 Rye bread", ["tag.created", "tag.created"]]

layer(layerLive, { excludeTestServices: true, timeout: "60 seconds" })("the light client, in Chromium,", (it) => {
  inBrowser(() =>
    describe("from a page of another origin", () => {
      it.effect(
        "works as in Node",
        () =>
          Effect.gen(function* () {
            const { code } = yield* Effect.promise(() => bundleClient(lightClient))
            const login = yield* givenLogin()
            const { page } = yield* openPage()
            const { origin } = yield* ForeignPage
            const found = yield* Effect.promise(async () => {
              await page.goto(`${origin}/`)
              await page.addScriptTag({ content: code })
              return page.evaluate(`${visit}(${JSON.stringify(login)})`)
            })
            assert.deepStrictEqual(found, seen)
          }).pipe(Effect.scoped, Effect.provide(Browser.layer)),
        60_000
      )
    })
  )
})
