import { assert, describe, it } from "@effect/vitest"
import { Outbox, transact } from "@parley/domain/kernel"
import { EventListeners } from "@parley/domain/platform"
import { AutomationId } from "@parley/domain/automation"
import * as Postgres from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { asOperatorOf, givenOrganization, TestSecurity } from "@parley/testkit"
import { type Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"

const node = Effect.fnUntraced(function* (url: Effect.Success<typeof freshDatabase>) {
  const memoMap = yield* Layer.makeMemoMap
  const layer = Layer.merge(Postgres.layer, TestSecurity.layer).pipe(
    Layer.provideMerge(Postgres.Database.layer({ url, maxConnections: 2 }))
  )
  return yield* Layer.buildWithMemoMap(layer, memoMap, yield* Effect.scope)
})

const log = Effect.flatMap(Outbox, (outbox) =>
  transact(outbox.append({ type: "automation.created", automationId: AutomationId.make(SecureRandom.uuidV7Unsafe()) }))
)

const listeners = (sql: SqlClient.SqlClient) =>
  sql<{ readonly pid: number }>`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`

const on =
  <R0>(context: Context.Context<R0>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideContext(effect, context)

describe("signs of new events", () => {
  it.live(
    "are heard by another process, also after the connection that hears them was lost",
    () =>
      Effect.gen(function* () {
        const url = yield* freshDatabase
        const [one, other] = [yield* node(url), yield* node(url)]
        const sql = yield* on(one)(SqlClient.SqlClient)
        assert.lengthOf(yield* listeners(sql), 0)
        const organization = yield* givenOrganization().pipe(on(one))
        yield* Effect.gen(function* () {
          const listener = yield* Effect.flatMap(EventListeners, (signals) => signals.listen()).pipe(
            asOperatorOf(organization),
            on(other)
          )
          // A connection that starts to listen can have missed something, so it gives a sign.
          const connected = listener.next
          const hears = Effect.andThen(log.pipe(asOperatorOf(organization), on(one)), listener.next)
          yield* connected
          yield* hears
          const [first, ...others] = yield* listeners(sql)
          assert.isEmpty(others)
          yield* sql`SELECT pg_terminate_backend(${first?.pid ?? 0}, 5000)`
          yield* connected
          yield* hears
        }).pipe(Effect.scoped)
        yield* Effect.repeat(Effect.delay(listeners(sql), "10 millis"), { until: (rows) => rows.length === 0 })
      }).pipe(Effect.scoped, Effect.orDie),
    30_000
  )
})
