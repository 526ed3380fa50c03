import { assert, it, layer } from "@effect/vitest"
import { Outbox, transact } from "@parley/domain/kernel"
import { AutomationId } from "@parley/domain/automation"
import { TestKit } from "@parley/testkit"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { connect } from "node:net"
import { textAt } from "./harness/answers.ts"
import { follow, until } from "./harness/eventStreams.ts"
import { Address, callPort, layerListening } from "./harness/sockets.ts"
import { givenTenant, inside } from "./harness/tenants.ts"
import { eventStreamSuite } from "./suites/eventStream.ts"

eventStreamSuite("in memory", TestKit.layer)

layer(layerListening(TestKit.layer, { patienceMillis: 500 }), { excludeTestServices: true })((it) => {
  it.effect(
    "a stalled reader is disconnected and an active one is not",
    () =>
      Effect.gen(function* () {
        const { port } = yield* Address
        const { organization, owner } = yield* givenTenant()
        const caller = { token: owner.token, organization: organization.id }
        const begin = yield* callPort(port, "GET", "/api/v1/events", caller)
        // More than the buffers of a connection hold.
        const event = { type: "automation.created", automationId: AutomationId.make(organization.id) } as const
        yield* Effect.flatMap(Outbox, (outbox) =>
          Effect.replicateEffect(outbox.append(event), 15_000, { discard: true })
        ).pipe(transact, inside(organization))
        const query = `?after=${textAt(begin, "nextCursor")}`
        const stuck = yield* Effect.acquireRelease(
          Effect.sync(() => connect(port, "127.0.0.1")),
          (socket) => Effect.sync(() => socket.destroy())
        )
        let isCut = false
        stuck.on("error", () => (isCut = true))
        stuck.pause()
        stuck.write(
          [
            `GET /api/v1/events${query} HTTP/1.1`,
            "Host: parley",
            "Accept: text/event-stream",
            `Authorization: Bearer ${Redacted.value(owner.token)}`,
            `X-Organization-Id: ${organization.id}`,
            "\r\n"
          ].join("\r\n")
        )
        const reader = yield* follow(port, caller)
        yield* Effect.sleep("3 seconds")
        assert.isFalse(reader.hasEnded())
        stuck.on("close", () => (isCut = true))
        stuck.resume()
        yield* until("it was cut", () => isCut, 5_000)
        assert.isFalse(reader.hasEnded())
      }),
    20_000
  )
})

it.live("a service ends its streams before it stops", () =>
  Effect.gen(function* () {
    const ports = yield* Layer.build(TestKit.layer)
    const life = yield* Scope.make()
    const { port } = yield* Layer.buildWithScope(layerListening(Layer.succeedContext(ports)), life).pipe(
      Effect.flatMap((context) => Effect.provideContext(Address, context))
    )
    const { organization, owner } = yield* givenTenant().pipe(Effect.provideContext(ports))
    const stream = yield* follow(port, { token: owner.token, organization: organization.id })
    yield* until("it says where it is", () => stream.lastId() !== null)
    yield* Scope.close(life, Exit.void)
    assert.strictEqual(yield* stream.ended, "ended")
  }).pipe(Effect.scoped)
)
