import { assert, layer } from "@effect/vitest"
import { type Organization, removeMember, setOrganizationStatus } from "@parley/domain/platform"
import { createAutomation } from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import { Effect, Exit, type Layer, Redacted, Scope, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { connect } from "node:net"
import { ParleyClient } from "../../src/client/index.ts"
import { mostOfCaller } from "../../src/server/OpenStreams.ts"
import { assertProblem, assertStatus, at, rowsOf, textAt } from "../harness/answers.ts"
import { follow, type Following, until } from "../harness/eventStreams.ts"
import { Address, callPort, layerListening } from "../harness/sockets.ts"
import { givenConversation } from "../harness/inbox.ts"
import { givenAutomationToken, givenPerson, givenTenant, inside, type Person, type Tenant } from "../harness/tenants.ts"

const on = <A, E, R>(use: (port: number) => Effect.Effect<A, E, R>) => Effect.flatMap(Address, ({ port }) => use(port))

const as = ({ organization }: Tenant, { token }: Pick<Person, "token">) => ({
  token,
  organization: organization.id
})

const opened = (following: Following) => on((port) => follow(port, following))

const act = (organization: Organization) => createAutomation({ name: "Greet" }).pipe(inside(organization), Effect.orDie)

const positions = (rows: ReadonlyArray<{ readonly position: number }>) => rows.map(({ position }) => position)

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** The live feed, on a socket and in real time. */
export const eventStreamSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  layer(layerListening(ports), { excludeTestServices: true, timeout: "60 seconds" })(name, (it) => {
    it.effect("gives what happens from now on, each row as a page has it, with its cursor as its id", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        yield* act(tenant.organization)
        const stream = yield* opened(as(tenant, tenant.owner))
        assert.strictEqual(stream.status, 200)
        assert.strictEqual(stream.headers.get("content-type"), "text/event-stream")
        assert.strictEqual(stream.headers.get("cache-control"), "no-store, no-transform")
        assert.strictEqual(stream.headers.get("x-accel-buffering"), "no")
        assert.isNotNull(stream.headers.get("x-request-id"))
        assert.isNotNull(stream.headers.get("ratelimit"))
        yield* until("it says where it is", () => stream.lastId() !== null)
        assert.match(stream.text(), /^: keep-alive\nid: .+\nretry: 2000\n\n$/u)
        yield* act(tenant.organization)
        yield* until("the event is there", () => stream.rows.length === 1)
        const [row] = stream.rows
        assert.deepStrictEqual(
          [row?.position, row?.type, row?.name, row?.id],
          [2, "automation.created", "automation.created", row?.cursor]
        )
        const page = rowsOf(yield* on((port) => callPort(port, "GET", "/api/v1/events", as(tenant, tenant.owner))))
        assert.include(stream.text(), `data: ${JSON.stringify(page[1])}\n\n`)
      })
    )

    it.effect(
      "delivers the presence of members to streams that include it, without an id and without a log entry",
      () =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const agent = yield* givenPerson(tenant.organization, "agent")
          const { id } = yield* givenConversation(tenant.organization)
          const path = `/api/v1/conversations/${id}/presence`
          const show = (body: unknown) => on((port) => callPort(port, "PUT", path, { ...as(tenant, agent), body }))
          const including = yield* opened({ ...as(tenant, tenant.owner), query: "?include=presence" })
          const without = yield* opened(as(tenant, tenant.owner))
          yield* until("both are open", () => including.lastId() !== null && without.lastId() !== null)
          assertStatus(yield* show({ state: "typing" }), 204)
          yield* until("the presence arrives", () => including.text().includes("event: conversation.presence"))
          yield* act(tenant.organization)
          yield* until("the next event arrives", () => without.text().includes("automation.created"))
          assert.notInclude(without.text(), "conversation.presence")
          const block =
            including
              .text()
              .split("\n\n")
              .find((text) => text.includes("conversation.presence")) ?? ""
          assert.notMatch(block, /^id:/mu)
          const data: unknown = JSON.parse(block.split("data: ")[1] ?? "")
          assert.deepInclude(data, {
            type: "conversation.presence",
            conversationId: id,
            userId: agent.user.id,
            state: "typing"
          })
          assertProblem(yield* show({ state: "sleeping" }), 400, "validation_failed")
          const page = yield* on((port) =>
            callPort(port, "GET", "/api/v1/events?include=presence", as(tenant, tenant.owner))
          )
          assertProblem(page, 400, "validation_failed")
          const token = yield* givenAutomationToken(tenant, ["conversations.read"])
          const byToken = yield* on((port) =>
            callPort(port, "PUT", path, { ...as(tenant, token), body: { state: "viewing" } })
          )
          assertProblem(byToken, 403, "permission_denied")
        })
    )

    it.effect("goes on after a cursor of a page, and a page after an id of a stream", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        yield* Effect.replicateEffect(act(tenant.organization), 3)
        const page = (query: string) =>
          on((port) => callPort(port, "GET", `/api/v1/events${query}`, as(tenant, tenant.owner)))
        const first = yield* page("?limit=1")
        const stream = yield* opened({ ...as(tenant, tenant.owner), query: `?after=${textAt(first, "nextCursor")}` })
        yield* until("the rest is there", () => stream.rows.length === 2)
        assert.deepStrictEqual(positions(stream.rows), [2, 3])
        const rest = yield* page(`?after=${stream.rows[0]?.id ?? ""}`)
        assert.deepStrictEqual(
          rowsOf(rest).map((row) => at(row, "position")),
          [3]
        )
      })
    )

    it.effect("the last id comes before the cursor of the address, as a browser sends both", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const begin = textAt(
          yield* on((port) => callPort(port, "GET", "/api/v1/events", as(tenant, tenant.owner))),
          "nextCursor"
        )
        yield* Effect.replicateEffect(act(tenant.organization), 3)
        const query = `?after=${begin}`
        const first = yield* opened({ ...as(tenant, tenant.owner), query })
        yield* until("all is there", () => first.rows.length === 3)
        const lastEventId = first.rows[1]?.id ?? null
        const second = yield* opened({ ...as(tenant, tenant.owner), query, lastEventId })
        yield* until("the rest is there", () => second.rows.length === 1)
        assert.deepStrictEqual(positions(second.rows), [3])
      })
    )

    it.effect("a reader that is cut before the first event comes back to it", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const life = yield* Scope.make()
        const first = yield* opened(as(tenant, tenant.owner)).pipe(Scope.provide(life))
        yield* until("it says where it is", () => first.lastId() !== null)
        yield* Scope.close(life, Exit.void)
        yield* act(tenant.organization)
        const second = yield* opened({ ...as(tenant, tenant.owner), lastEventId: first.lastId() })
        yield* until("the event is there", () => second.rows.length === 1)
        assert.deepStrictEqual(positions(second.rows), [1])
      })
    )

    it.effect(
      "gives through many pages what was missed, in order and once",
      () =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const life = yield* Scope.make()
          const first = yield* opened(as(tenant, tenant.owner)).pipe(Scope.provide(life))
          yield* until("it says where it is", () => first.lastId() !== null)
          yield* Scope.close(life, Exit.void)
          yield* Effect.replicateEffect(act(tenant.organization), 350, { concurrency: 10, discard: true })
          const second = yield* opened({ ...as(tenant, tenant.owner), lastEventId: first.lastId() })
          yield* until("all is there", () => second.rows.length >= 350, 10_000)
          assert.deepStrictEqual(positions(second.rows), upTo(350))
        }),
      30_000
    )

    it.effect("each caller sees what it may see of, and nothing of other organizations", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* givenTenant(), yield* givenTenant()]
        const blind = yield* givenAutomationToken(tenant, ["events.read"])
        const narrow = yield* givenAutomationToken(tenant, ["events.read", "automations.read"])
        const [all, none, some, elsewhere] = yield* Effect.all([
          opened(as(tenant, tenant.owner)),
          opened(as(tenant, blind)),
          opened(as(tenant, narrow)),
          opened(as(other, other.owner))
        ])
        yield* Effect.forEach([all, none, some, elsewhere], (stream) =>
          until("it says where it is", () => stream.lastId() !== null)
        )
        yield* on((port) =>
          callPort(port, "PATCH", "/api/v1/organization", { ...as(tenant, tenant.owner), body: { name: "New" } })
        )
        yield* act(tenant.organization)
        yield* until("the owner has both", () => all.rows.length === 2)
        yield* until("the token has one", () => some.rows.length === 1)
        yield* Effect.sleep("100 millis")
        assert.deepStrictEqual(
          [all, none, some, elsewhere].map(({ rows }) => rows.map(({ type }) => type)),
          [["organization.updated", "automation.created"], [], ["automation.created"], []]
        )
      })
    )

    it.effect("what may not be read is refused as everywhere, before anything is streamed", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* givenTenant(), yield* givenTenant()]
        const accept = { headers: { accept: "text/event-stream" } }
        const get = (what: object) => on((port) => callPort(port, "GET", "/api/v1/events", { ...accept, ...what }))
        assertProblem(yield* get({}), 401, "unauthenticated")
        assertProblem(yield* get(as(other, tenant.owner)), 403, "organization_forbidden")
        const unable = yield* givenAutomationToken(tenant, ["automations.read"])
        assertProblem(yield* get(as(tenant, unable)), 403, "permission_denied")
        const theirs = yield* on((port) => callPort(port, "GET", "/api/v1/events", as(other, other.owner)))
        for (const cursor of ["nonsense", textAt(theirs, "nextCursor")]) {
          const headers = { ...accept.headers, "last-event-id": cursor }
          assertProblem(yield* get({ ...as(tenant, tenant.owner), headers }), 400, "cursor_invalid")
        }
      })
    )

    it.effect("a client that accepts no stream gets a page", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        for (const accept of ["*/*", "application/json", "text/event-stream;q=0, application/json", "text/*"]) {
          const answer = yield* on((port) =>
            callPort(port, "GET", "/api/v1/events", { ...as(tenant, tenant.owner), headers: { accept } })
          )
          assertStatus(answer, 200)
          assert.include(answer.headers.get("content-type") ?? "", "application/json")
        }
      })
    )

    it.effect(
      "ends within a second after the session, the token, the membership, the role or the organization",
      () =>
        Effect.gen(function* () {
          const port = (yield* Address).port
          const ends = Effect.fnUntraced(function* (
            change: (given: {
              readonly tenant: Tenant
              readonly person: Person
            }) => Effect.Effect<unknown, unknown, Ports>,
            who: (given: {
              readonly tenant: Tenant
              readonly person: Person
            }) => Effect.Effect<Pick<Person, "token">, never, Ports> = ({ person }) => Effect.succeed(person)
          ) {
            const tenant = yield* givenTenant()
            const given = { tenant, person: yield* givenPerson(tenant.organization, "admin") }
            const stream = yield* follow(port, as(tenant, yield* who(given)))
            yield* until("it says where it is", () => stream.lastId() !== null)
            yield* Effect.orDie(change(given))
            yield* until("it has ended", stream.hasEnded, 1_250)
            assert.strictEqual(yield* stream.ended, "ended")
          })
          yield* ends(({ person }) => callPort(port, "POST", "/api/v1/auth/logout", { token: person.token }))
          yield* ends(({ person, tenant }) => removeMember({ id: person.member.id }).pipe(inside(tenant.organization)))
          yield* ends(({ person, tenant }) =>
            callPort(port, "PATCH", `/api/v1/members/${person.member.id}`, {
              ...as(tenant, tenant.owner),
              body: { role: "agent" }
            })
          )
          yield* ends(({ tenant }) => setOrganizationStatus({ status: "suspended" }).pipe(inside(tenant.organization)))
          let issued = ""
          yield* ends(
            ({ tenant }) => callPort(port, "DELETE", `/api/v1/auth/tokens/${issued}`, as(tenant, tenant.owner)),
            ({ tenant }) =>
              Effect.map(givenAutomationToken(tenant, ["events.read"]), ({ automationToken, token }) => {
                issued = automationToken.id
                return { token }
              })
          )
        }),
      30_000
    )

    it.effect(
      "a caller may have so many streams open, and gets a place back with each that is closed",
      () =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const life = yield* Scope.make()
          const streams = yield* Effect.replicateEffect(
            opened(as(tenant, tenant.owner)).pipe(Scope.provide(life)),
            mostOfCaller
          )
          assert.deepStrictEqual(new Set(streams.map(({ status }) => status)), new Set([200]))
          const refused = yield* on((port) =>
            callPort(port, "GET", "/api/v1/events", {
              ...as(tenant, tenant.owner),
              headers: { accept: "text/event-stream" }
            })
          )
          assertProblem(refused, 429, "rate_limited")
          assert.isNotNull(refused.headers.get("retry-after"))
          const colleague = yield* givenPerson(tenant.organization, "agent")
          assert.strictEqual((yield* opened(as(tenant, colleague))).status, 200)
          yield* Scope.close(life, Exit.void)
          const again = Effect.scoped(opened(as(tenant, tenant.owner)))
          const { status } = yield* Effect.repeat(Effect.delay(again, "20 millis"), {
            until: ({ status }) => status === 200,
            times: 50
          })
          assert.strictEqual(status, 200)
        }),
      30_000
    )

    it.effect(
      "many streams take no connection of the database from others",
      () =>
        Effect.gen(function* () {
          const tenants = yield* Effect.replicateEffect(givenTenant(), 10)
          yield* Effect.forEach(tenants, (tenant) =>
            Effect.replicateEffect(opened(as(tenant, tenant.owner)), 10, { concurrency: 10 })
          )
          const answers = yield* Effect.forEach(
            tenants,
            (tenant) => on((port) => callPort(port, "GET", "/api/v1/organization", as(tenant, tenant.owner))),
            { concurrency: 10 }
          )
          // There are ten streams for each connection: with one for itself, each of them would leave none to be answered with.
          for (const answer of answers) assertStatus(answer, 200)
        }),
      30_000
    )

    it.effect("the client follows and reconnects automatically", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { port } = yield* Address
        const client = yield* ParleyClient.make({
          baseUrl: `http://127.0.0.1:${port}`,
          token: Redacted.value(tenant.owner.token),
          organizationId: tenant.organization.id
        })
        const { nextCursor } = yield* client.events.list()
        yield* Effect.forkScoped(Effect.repeat(Effect.delay(act(tenant.organization), "20 millis"), { times: 19 }))
        const seen = yield* client.events.follow({ after: nextCursor ?? "" }).pipe(Stream.take(20), Stream.runCollect)
        assert.deepStrictEqual(positions(seen), upTo(20))
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )

    it.effect("a reader of some types gets those, from a page's cursor of any types on, also by the client", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { port } = yield* Address
        const client = yield* ParleyClient.make({
          baseUrl: `http://127.0.0.1:${port}`,
          token: Redacted.value(tenant.owner.token),
          organizationId: tenant.organization.id
        })
        const { nextCursor } = yield* client.events.list({ query: { type: ["contact.*"] } })
        yield* act(tenant.organization)
        yield* client.organization.update({ payload: { name: "New" } })
        yield* act(tenant.organization)
        const stream = yield* on((port) =>
          follow(port, { ...as(tenant, tenant.owner), query: `?type=organization.*&after=${nextCursor}` })
        )
        yield* until("the event is there", () => stream.rows.length === 1)
        assert.deepStrictEqual(positions(stream.rows), [2])
        const seen = yield* client.events
          .follow({ after: nextCursor ?? "", type: ["automation.created", "tag.*"] })
          .pipe(Stream.take(2), Stream.runCollect)
        assert.deepStrictEqual(positions(seen), [1, 3])
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )

    it.effect("a stalled reader holds a bounded number of events", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { port } = yield* Address
        const socket = yield* Effect.acquireRelease(
          Effect.sync(() => connect(port, "127.0.0.1")),
          (socket) => Effect.sync(() => socket.destroy())
        )
        socket.pause()
        socket.write(
          [
            "GET /api/v1/events HTTP/1.1",
            "Host: parley",
            "Accept: text/event-stream",
            `Authorization: Bearer ${Redacted.value(tenant.owner.token)}`,
            `X-Organization-Id: ${tenant.organization.id}`,
            "\r\n"
          ].join("\r\n")
        )
        yield* Effect.replicateEffect(act(tenant.organization), 50, { concurrency: 10, discard: true })
        assertStatus(yield* on((port) => callPort(port, "GET", "/api/v1/organization", as(tenant, tenant.owner))), 200)
      })
    )
  })
