import { assert, expectTypeOf, layer } from "@effect/vitest"
import { FeatureNotInPlan } from "@parley/domain/kernel"
import { Effect } from "effect"
import { ParleyClient } from "../../src/client/index.ts"
import { givenLogin, layer as layerLive } from "./liveService.ts"

const loggedIn = async (login: Effect.Success<ReturnType<typeof givenLogin>>) => {
  const { baseUrl, email, organizationId, password } = login
  const answer = await ParleyClient.promise({ baseUrl }).sessions.login({ payload: { email, password } })
  const parley = ParleyClient.promise({ baseUrl, organizationId, token: answer.accessToken })
  return { answer, parley }
}

layer(layerLive, { excludeTestServices: true })("the client in promises", (it) => {
  it.effect("takes and gives plain JSON", () =>
    Effect.gen(function* () {
      const login = yield* givenLogin()
      yield* Effect.promise(async () => {
        const { answer, parley } = await loggedIn({ ...login, email: ` ${login.email.toUpperCase()} ` })
        assert.strictEqual(answer.user.email, login.email)
        assert.match(answer.expiresAt, /^\d{4}-\d\d-\d\dT.*Z$/)
        const issued = await parley.tokens.issue({
          payload: { name: "Report", permissions: ["members.read"], expiresAt: answer.expiresAt }
        })
        assert.strictEqual(issued.expiresAt, answer.expiresAt)
        const robot = ParleyClient.promise({ ...login, token: issued.token })
        assert.lengthOf((await robot.members.list()).data, 1)
        const { data } = await parley.audit.list({
          query: { limit: 1, to: answer.expiresAt, action: "automation_token.issued" }
        })
        assert.deepStrictEqual(
          data.map(({ target }) => target.id),
          [issued.id]
        )
      })
    })
  )

  it.effect("rejects with the error of the domain", () =>
    Effect.gen(function* () {
      const login = yield* givenLogin("free")
      const error = yield* Effect.promise(async () => {
        const { parley } = await loggedIn(login)
        return parley.automations.create({ payload: { name: "Thank customers" } }).catch((error: unknown) => error)
      })
      assert.instanceOf(error, FeatureNotInPlan)
    })
  )

  it.effect("repeats what an earlier call with the same key began", () =>
    Effect.gen(function* () {
      const login = yield* givenLogin()
      yield* Effect.promise(async () => {
        const { parley } = await loggedIn(login)
        const once = { idempotencyKey: "once-and-only-once" }
        const first = await parley.automations.create({ payload: { name: "Once" } }, once)
        const second = await parley.automations.create({ payload: { name: "Once" } }, once)
        assert.deepStrictEqual(first, second)
        const changed = await parley.automations.update({
          params: { id: first.id },
          headers: { "if-match": first.version },
          payload: { name: "Twice" }
        })
        assert.strictEqual(changed.version, 2)
      })
    })
  )

  it.effect("walks through every row of a list", () =>
    Effect.gen(function* () {
      const login = yield* givenLogin()
      const found = yield* Effect.promise(async () => {
        const { parley } = await loggedIn(login)
        for (const name of ["One", "Two", "Three"]) await parley.automations.create({ payload: { name } })
        const names: Array<string> = []
        const rows = ParleyClient.each((from) => parley.automations.list({ query: { ...from, limit: 2 } }))
        for await (const { name } of rows) names.push(name)
        return names
      })
      assert.deepStrictEqual(found, ["Three", "Two", "One"])
    })
  )

  it.effect("can be given up", () =>
    Effect.gen(function* () {
      const login = yield* givenLogin()
      const reason = yield* Effect.promise(async () => {
        const { parley } = await loggedIn(login)
        return parley.organization.get({}, { signal: AbortSignal.abort() }).then(
          () => "answered",
          () => "given up"
        )
      })
      assert.strictEqual(reason, "given up")
    })
  )

  it.effect("sends files from bytes, blobs and streams of them, and gives them back as streams", () =>
    Effect.gen(function* () {
      const login = yield* givenLogin()
      yield* Effect.promise(async () => {
        const { parley } = await loggedIn(login)
        const bytes = new TextEncoder().encode("%PDF-1.7 Rye bread: 4.20")
        const pieces = async function* () {
          yield bytes.slice(0, 9)
          yield bytes.slice(9)
        }
        const files: ReadonlyArray<ParleyClient.FileBytes> = [
          bytes,
          new Blob([bytes]),
          new Blob([bytes]).stream(),
          pieces()
        ]
        for (const payload of files) {
          const file = await parley.media.upload({
            query: { filename: "prices.pdf" },
            headers: { "content-type": "application/pdf" },
            payload
          })
          assert.deepStrictEqual([file.kind, file.filename, file.size], ["document", "prices.pdf", bytes.length])
          const answer = await parley.media.download({ params: { id: file.id } })
          assert.deepStrictEqual(await new Response(answer).bytes(), bytes)
        }
      })
    })
  )

  it.effect("imports and exports contacts as files of either format", () =>
    Effect.gen(function* () {
      const login = yield* givenLogin()
      yield* Effect.promise(async () => {
        const { parley } = await loggedIn(login)
        const csv = await parley.contactTransfer.import({ payload: new TextEncoder().encode("name\nAda\n") })
        assert.strictEqual(csv.format, "csv")
        const rows = new Blob(['{"name":"Ada"}\n'])
        const ndjson = await parley.contactTransfer.import(
          { query: { dryRun: true }, payload: rows },
          { contentType: "application/x-ndjson" }
        )
        assert.deepStrictEqual([ndjson.format, ndjson.dryRun], ["ndjson", true])
        await parley.contacts.create({ payload: { name: "Grace" } })
        const exported = await parley.contactTransfer.export({ query: { format: "ndjson" } })
        assert.include(await new Response(exported).text(), '"name":"Grace"')
      })
    })
  )

  it.effect("delivers to webhooks, with their signatures", () =>
    Effect.gen(function* () {
      const login = yield* givenLogin()
      yield* Effect.promise(async () => {
        const parley = ParleyClient.promise({ baseUrl: login.baseUrl })
        const params = { organization_id: login.organizationId }
        const payload = new TextEncoder().encode("{}")
        const refused = (error: { readonly _tag?: string }) => error._tag
        const headers = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` }
        assert.strictEqual(
          await parley.chatWebhooks.receiveOwn({ params, payload }, { headers }).catch(refused),
          "WebhookSignatureInvalid"
        )
        assert.strictEqual(
          await parley.chatWebhooks.verifyPlatform({ query: { "hub.mode": "subscribe" } }).catch(refused),
          "WebhookForbidden"
        )
      })
    })
  )

  it.effect("types files as what a caller has, and refuses what is none", () =>
    Effect.sync(() => {
      const parley = ParleyClient.promise({ baseUrl: "http://127.0.0.1:1" })
      type Of<Method extends (...args: never) => unknown> = Parameters<Method>[0] extends infer Request
        ? Exclude<Request, undefined>
        : never
      expectTypeOf<Of<typeof parley.media.upload>["payload"]>().toEqualTypeOf<ParleyClient.FileBytes>()
      expectTypeOf<Of<typeof parley.contactTransfer.import>["payload"]>().toEqualTypeOf<ParleyClient.FileBytes>()
      expectTypeOf<
        Of<typeof parley.chatWebhooks.receiveForAccount>["payload"]
      >().toEqualTypeOf<ParleyClient.FileBytes>()
      expectTypeOf(parley.media.download).returns.resolves.toEqualTypeOf<ReadableStream<Uint8Array<ArrayBuffer>>>()
      expectTypeOf(parley.contactTransfer.export).returns.resolves.toEqualTypeOf<
        ReadableStream<Uint8Array<ArrayBuffer>>
      >()
      const wrong = () =>
        parley.media.upload({
          headers: { "content-type": "application/pdf" },
          // @ts-expect-error A text is no file.
          payload: "a text"
        })
      assert.isFunction(wrong)
    })
  )
})
