import { assert, layer } from "@effect/vitest"
import { createParley, isProblem, type Parley, type TokenPair } from "@parley/client"
import { Effect } from "effect"
import { givenLogin, layer as layerLive } from "./liveService.ts"

type Login = Effect.Success<ReturnType<typeof givenLogin>>

const loggedIn = async ({ baseUrl, email, organizationId, password }: Login) => {
  const login = await createParley({ baseUrl }).throwing().sessions.login({ email, password })
  return { login, parley: createParley({ baseUrl, organizationId, session: login }) }
}

/** Runs a visit of a new owner of an organization. */
const visit = (run: (parley: Parley, login: Login) => Promise<void>) =>
  Effect.gen(function* () {
    const login = yield* givenLogin("scale")
    yield* Effect.promise(async () => run((await loggedIn(login)).parley, login))
  })

layer(layerLive, { excludeTestServices: true })("the light client on a service", (it) => {
  it.effect("reads, creates, changes and deletes", () =>
    visit(async (results) => {
      const parley = results.throwing()
      const tag = await parley.tags.create({ name: "VIP" })
      const contact = await parley.contacts.create({ name: "Ada", email: "ada@example.com", tags: [tag.id] })
      assert.deepStrictEqual([contact.tags, contact.version], [[tag.id], 1])
      const changed = await parley.contacts.update({ id: contact.id, ifMatch: 1, locale: "en-GB" })
      assert.deepStrictEqual([changed.locale, changed.version], ["en-GB", 2])
      const { problem } = await results.contacts.update({ id: contact.id, ifMatch: 1, locale: "de" })
      assert.strictEqual(problem?.code, "version_conflict")
      const put = await results.contacts.upsertByPhone({ phone: "+491701234567", name: "Grace" })
      assert.strictEqual(put.response?.status, 201)
      assert.strictEqual((await parley.contacts.untag({ id: contact.id, tag: [tag.id] })).tags.length, 0)
      assert.isUndefined(await parley.contacts.delete({ id: contact.id, erase: true }))
      const gone = await results.contacts.get({ id: contact.id })
      assert.strictEqual(gone.problem?.code, "not_found")
      assert.match(gone.problem?.requestId ?? "", /^[0-9a-f-]{36}$/u)
    })
  )

  it.effect("finds contacts by repeated parameters, attributes and a filter", () =>
    visit(async (results) => {
      const parley = results.throwing()
      await parley.contactFields.create({ key: "city", name: "City", type: "text" })
      const [one, two] = [await parley.tags.create({ name: "One" }), await parley.tags.create({ name: "Two" })]
      const marie = await parley.contacts.create({
        name: "Marie",
        attributes: { city: "Paris & Sceaux" },
        tags: [one.id, two.id]
      })
      await parley.contacts.create({ name: "Grace", tags: [one.id] })
      const { data } = await parley.contacts.list({
        tag: [one.id, two.id],
        tagMatch: "all",
        "attribute.city": "Paris & Sceaux",
        filter: { not: { field: "email", op: "is_set" } },
        expand: "tags"
      })
      assert.deepStrictEqual(
        data.map(({ expanded, id }) => [id, expanded?.tags?.length]),
        [[marie.id, 2]]
      )
    })
  )

  it.effect("repeats a call with a key without a second effect", () =>
    visit(async (results) => {
      const once = { idempotencyKey: "once-and-only-once" }
      const first = await results.automations.create({ name: "Once" }, once)
      const second = await results.automations.create({ name: "Once" }, once)
      assert.strictEqual(first.data?.id, second.data?.id)
      assert.strictEqual(second.response?.headers.get("idempotency-replayed"), "true")
    })
  )

  it.effect("reports every validation error of a request with its pointer", () =>
    visit(async (results) => {
      const { problem } = await results.automations.create({ name: "" })
      assert.deepStrictEqual(
        [problem?.code, problem?.errors.map(({ pointer }) => pointer)],
        ["validation_failed", ["/name"]]
      )
    })
  )

  it.effect("reads lists to their end", () =>
    visit(async (results) => {
      const parley = results.throwing()
      for (const name of ["One", "Two", "Three"]) await parley.automations.create({ name })
      const names: Array<string> = []
      for await (const { name } of parley.automations.list.all({ limit: 2 })) names.push(name)
      assert.deepStrictEqual(names, ["Three", "Two", "One"])
      const types: Array<string> = []
      for await (const { event } of parley.events.list.all({ limit: 2, type: ["automation.*"] })) types.push(event.type)
      assert.deepStrictEqual(types, ["automation.created", "automation.created", "automation.created"])
    })
  )

  it.effect("uploads files and streams, and downloads them", () =>
    visit(async (results) => {
      const parley = results.throwing()
      const text = "%PDF-1.7 Rye bread: 4.20"
      const bytes = new TextEncoder().encode(text)
      for (const body of [bytes, bytes.buffer, new Blob([bytes]), new Blob([bytes]).stream(), text]) {
        const file = await parley.media.upload({ body, contentType: "application/pdf", filename: "prices.pdf" })
        assert.deepStrictEqual([file.kind, file.filename, file.size], ["document", "prices.pdf", bytes.length])
        const answer = await parley.media.download({ id: file.id })
        assert.strictEqual(answer.headers.get("content-type"), "application/pdf")
        assert.strictEqual(await answer.text(), text)
      }
      const job = await parley.contactTransfer.import({
        body: new Blob(['{"name":"Ada"}\n']),
        contentType: "application/x-ndjson",
        dryRun: true
      })
      assert.deepStrictEqual([job.format, job.dryRun], ["ndjson", true])
      await parley.contacts.create({ name: "Grace" })
      const exported = await parley.contactTransfer.export({ format: "ndjson" })
      assert.include(await exported.text(), '"name":"Grace"')
    })
  )

  it.effect("reads texts where an endpoint answers with a text", () =>
    visit(async (results) => {
      const parley = results.throwing()
      const { id } = await parley.workflows.create({ name: "Welcome" })
      assert.match(await parley.workflows.draw({ id }), /^flowchart/u)
      assert.match(await parley.analytics.live({ format: "svg" }), /^<svg/u)
      assert.isNumber((await parley.analytics.live()).open)
    })
  )

  it.effect("calls public endpoints without a token, and plays the provider", () =>
    visit(async (_, { baseUrl, organizationId }) => {
      const anybody = createParley({ baseUrl })
      assert.strictEqual((await anybody.operations.health()).response?.status, 200)
      assert.strictEqual((await anybody.tags.list()).problem?.code, "unauthenticated")
      const headers = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` }
      const unsigned = await anybody.chatWebhooks.receiveOwn(
        { organization_id: organizationId, body: "{}" },
        { headers }
      )
      assert.strictEqual(unsigned.problem?.code, "webhook_signature_invalid")
      const wrong = await createParley({ baseUrl: `${baseUrl}/nowhere` }).operations.health()
      assert.strictEqual(wrong.problem?.code, "path_not_found")
    })
  )

  it.effect("refreshes its session", () =>
    Effect.gen(function* () {
      const login = yield* givenLogin()
      yield* Effect.promise(async () => {
        const { baseUrl, organizationId } = login
        const { login: answer } = await loggedIn(login)
        const anybody = createParley({ baseUrl }).throwing()
        const pair = await anybody.sessions.refresh({ refreshToken: answer.refreshToken })
        const saved: Array<TokenPair> = []
        const session = { ...pair, save: (tokens: TokenPair) => void saved.push(tokens) }
        const parley = createParley({ baseUrl, organizationId, session })
        assert.isDefined((await parley.tags.list()).data)
        const { problem } = await createParley({ baseUrl, organizationId, token: `${pair.accessToken}x` }).tags.list()
        assert.strictEqual(problem?.code, "token_invalid")
      })
    })
  )

  it.effect("follows events until it is stopped", () =>
    visit(async (parley) => {
      const { nextCursor } = await parley.throwing().events.list()
      const stop = new AbortController()
      const seen: Array<string> = []
      const from = { after: nextCursor ?? "", type: ["tag.*"] }
      const following = (async () => {
        for await (const { event } of parley.events.follow(from, { signal: stop.signal })) {
          seen.push(event.type)
          if (seen.length === 2) stop.abort()
        }
      })()
      const { id } = await parley.throwing().tags.create({ name: "One" })
      await parley.automations.create({ name: "Unseen" })
      await parley.throwing().tags.delete({ id })
      await following
      assert.deepStrictEqual(seen, ["tag.created", "tag.deleted"])
    })
  )

  it.effect("ends following when the session ends", () =>
    visit(async (parley) => {
      const following = (async () => {
        const events = parley.events.follow({}, { onConnection: () => void parley.account.logout() })
        for await (const _ of events) continue
      })()
      const error: unknown = await following.catch((error: unknown) => error)
      assert.isTrue(isProblem(error, "token_revoked"))
    })
  )
})
