import { assert, layer } from "@effect/vitest"
import { FeatureNotInPlan } from "@parley/domain"
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
        const before = new Date(Date.now() + 60_000).toISOString()
        const { data } = await parley.audit.list({ query: { limit: 1, to: before, action: "automation_token.issued" } })
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
})
