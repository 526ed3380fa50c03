import { PgClient } from "@effect/sql-pg"
import type { OrganizationId } from "@parley/domain/kernel"
import {
  backgroundHealth,
  EventListeners,
  type Lane,
  makeEventNotifications,
  makeLaneNotifications,
  shardOf,
  supervise,
  type EventConsumerDirectory
} from "@parley/domain/platform"
import { Context, Effect, Latch, Layer, Option, RcRef, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { orDieSqlErrors } from "../../kernel/defects.ts"
import { realTime } from "../../kernel/realTime.ts"
import { channel, listenToOthers } from "./listenToOthers.ts"
import { addShard, type News, noNews, payloadsOf, readPayload } from "./notificationPayloads.ts"

/** Notifications of commits, in this process and to other processes on the same database. */
export class Notifications extends Context.Service<
  Notifications,
  {
    readonly signals: EventListeners["Service"]
    /** Listens to all organizations. */
    readonly listenToAll: EventConsumerDirectory["Service"]["listen"]
    /** Called after the commit: listeners in this process are notified immediately, those in other processes shortly after. */
    readonly logged: (organizationIds: ReadonlySet<OrganizationId>) => Effect.Effect<void>
    /** Called after the commit. Wakes the workers of lanes and the processes that share shards. */
    readonly lanesOpened: (lanes: ReadonlyArray<Lane>) => void
    readonly shardsMoved: () => void
    readonly awaitLanes: (work: string) => Effect.Effect<ReadonlySet<number> | null>
    readonly awaitShards: Effect.Effect<void>
  }
>()("@parley/postgres-adapter/platform/events/Notifications") {}

/**
 * Notifies other processes in separate statements. A NOTIFY in the units of work would serialize all commits of the database on one lock. Commits
 * during a running notification go with the next one.
 */
const tellOthers = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, self: string) {
  let untold = noNews()
  const something = Latch.makeUnsafe()

  const tell = Effect.gen(function* () {
    yield* something.await
    yield* something.close
    const payloads = payloadsOf(untold, self)
    untold = noNews()
    // A failed notification is not sent again, because the other processes poll.
    yield* orDieSqlErrors(
      sql`SELECT pg_notify(${channel}, payload) FROM unnest(${payloads}::text[]) AS notification (payload)`
    )
    yield* Effect.sleep("20 millis")
  })

  const part = { name: "notifications to other processes", isEssential: false }
  yield* supervise(yield* backgroundHealth, part, tell).pipe(Effect.provide(realTime), Effect.forkScoped)
  return (add: (news: News) => void) => {
    add(untold)
    something.openUnsafe()
  }
})

const nobodyElse = (_add: (news: News) => void) => {}

export const layer = Layer.effect(
  Notifications,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // A client that only runs statements cannot notify or listen.
    const shared = Option.getOrNull(yield* Effect.serviceOption(PgClient.PgClient))
    const work = makeLaneNotifications()
    // A process also receives its own notifications, which it must ignore.
    const self = SecureRandom.uuidV7Unsafe()
    const tellElsewhere = shared === null ? nobodyElse : yield* tellOthers(sql, self)
    const { announce, listenToAll, signals, tell, tellAll } = makeEventNotifications((id, event) =>
      tellElsewhere(({ live }) => live.push({ id, event }))
    )
    const heard = (payload: string) => {
      const { areShardsFree, lanes, live, logs } = readPayload(payload, self)
      for (const { event, id } of live) announce(id, event)
      for (const id of logs) tell(id)
      for (const [name, shards] of lanes) for (const shard of shards) work.opened(name, shard)
      if (areShardsFree) work.shardsMoved()
    }
    const restarted = () => {
      work.missed()
      tellAll()
    }
    const hearing = yield* RcRef.make({
      acquire: shared === null ? Effect.void : Effect.forkScoped(listenToOthers(shared.listen, { heard, restarted }))
    })
    // A process that has waited for work once will wait again. The connection stays open from then on.
    const hearingForGood = yield* Effect.cached(
      Effect.uninterruptible(Scope.provide(RcRef.get(hearing), yield* Effect.scope))
    )
    return Notifications.of({
      signals: EventListeners.of({ ...signals, listen: () => Effect.andThen(RcRef.get(hearing), signals.listen()) }),
      listenToAll: Effect.andThen(RcRef.get(hearing), listenToAll),
      logged: (organizationIds) =>
        Effect.sync(() => {
          for (const id of organizationIds) tell(id)
          tellElsewhere(({ logs }) => {
            for (const id of organizationIds) logs.add(id)
          })
        }),
      lanesOpened: (lanes) => {
        tellElsewhere((news) => {
          for (const lane of lanes) addShard(news, lane.task, shardOf(lane))
        })
        for (const lane of lanes) work.opened(lane.task, shardOf(lane))
      },
      shardsMoved: () => {
        work.shardsMoved()
        tellElsewhere((news) => {
          news.areShardsFree = true
        })
      },
      awaitLanes: (name) => Effect.andThen(hearingForGood, work.awaitOpened(name)),
      awaitShards: Effect.andThen(hearingForGood, work.awaitShards)
    })
  })
)
