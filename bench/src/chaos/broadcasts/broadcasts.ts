import { Console, Effect, Exit, Option, Scope } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { ownLine } from "../../chat/provider.ts"
import { seed as seedTenants } from "../../tenants/seed.ts"
import { cutOffConnections } from "../cutOff.ts"
import { type Drawing, drawing } from "../drawing.ts"
import type { Grounds } from "../../servers/contenders.ts"
import { freePort, groundsOnCluster, layerPreparing, layerWatching, logFile, makeGrounds } from "../grounds.ts"
import { frozenFor } from "../harm.ts"
import { makeMortal, type Mortal } from "../mortal.ts"
import { commonFlags, commonOptions, count, ownServerFlags, ownServerOptions } from "../options.ts"
import { type Cluster, makeCluster, makeFolder } from "../postgres/cluster.ts"
import { conclude } from "../verdict.ts"
import { controlOf } from "../sends/control.ts"
import { timeoutMillis } from "../sends/script.ts"
import { app, connect, startProvider } from "../sends/sends.ts"
import { prepare, sendListed } from "./campaign.ts"
import { cancel, cancelUnlisted, interfere, letGo, type Stop, type Underway } from "./interfere.ts"
import { type Counted, judge, type Kept } from "./judge.ts"
import { type Takeover, watchTakeovers } from "./takeovers.ts"

/** Maximum number of recipients of an account in flight, by its pace: at most this many are in doubt after each failure. */
const inHand = (perSecond: number) => Math.min(640, Math.max(4, Math.ceil(perSecond * 0.6)))

const left = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly left: number }>`
    SELECT coalesce(sum(pending + in_flight), 0)::integer AS left FROM broadcast_progress`
  return row?.left ?? 0
})

const statuses = ["pending", "in_doubt", "sent", "delivered", "read", "failed", "excluded", "held_out", "never_sent"]

const readCounted = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(statuses.map((status) => `'${status}', p.${status}`).join(", "))
  // The end of a broadcast leaves the rows of pending recipients unchanged.
  const status = `CASE WHEN b.status IN ('completed', 'cancelled', 'failed') AND r.status IN ('pending', 'waiting')
    THEN 'never_sent' ELSE r.status END`
  const recounts = sql.literal(
    statuses.map((each) => `'${each}', count(*) FILTER (WHERE ${status} = '${each}')`).join(", ")
  )
  return yield* sql<Counted>`
    SELECT p.broadcast_id AS id, json_build_object('matched', p.matched, ${columns}) AS stats,
      (SELECT json_build_object('matched', count(*), ${recounts}) FROM broadcast_recipients AS r
        WHERE r.organization_id = p.organization_id AND r.broadcast_id = p.broadcast_id) AS recounted
    FROM broadcast_progress AS p
    JOIN broadcasts AS b ON b.organization_id = p.organization_id AND b.id = p.broadcast_id ORDER BY p.broadcast_id`
})

const readKept = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Kept>`
    SELECT b.id AS "broadcastId", b.recipient_prefix || lpad(to_hex(r.seq), 8, '0') AS reference, r.status,
      r.provider_message_id AS "providerId"
    FROM broadcast_recipients AS r JOIN broadcasts AS b ON b.organization_id = r.organization_id AND b.id = r.broadcast_id`
})

/** Number of failures of each kind. */
interface Blows {
  readonly kill: number
  readonly freeze: number
  readonly crash: number
}

/** Kills a process repeatedly, stops it for longer than its lease, or crashes the database. */
const harm = Effect.fnUntraced(function* (
  draws: Drawing,
  blows: Blows,
  servers: ReadonlyArray<Mortal>,
  database: Pick<Cluster, "start" | "stop"> | null
) {
  const what = (["kill", "freeze", "crash"] as const).flatMap((each) => Array.from({ length: blows[each] }, () => each))
  const shuffled = what
    .map((each) => ({ each, place: draws.between(0, 1_000_000) }))
    .toSorted((a, b) => a.place - b.place)
  for (const { each } of shuffled) {
    yield* Effect.sleep(draws.between(1_000, 5_000))
    if (each === "crash") {
      if (database === null) continue
      yield* database.stop
      yield* Effect.sleep(draws.between(0, 2_000))
      yield* database.start
      continue
    }
    const server = draws.pick(servers)
    if (each === "freeze") {
      yield* server.freeze(frozenFor)
      continue
    }
    yield* server.kill
    yield* Effect.sleep(draws.between(0, 500))
    yield* server.restart
  }
})

/** A server that the run can crash, apart from the shared one. */
const ownDatabase = Effect.fnUntraced(function* (postgresBin: Option.Option<string>, seed: number) {
  const { programs } = yield* ownServerOptions({ postgresBin, seed: Option.some(seed) })
  return yield* makeCluster({ programs, folder: yield* makeFolder, name: "database" })
})

const run = Effect.fnUntraced(function* (
  options: Effect.Success<ReturnType<typeof commonOptions>> & {
    readonly recipients: number
    readonly organizations: number
    readonly workers: number
    readonly freezes: number
    readonly crashes: number
    readonly postgresBin: Option.Option<string>
    readonly perSecond: number
    readonly isCalm: boolean
  }
) {
  const { crashes, cutEvery, databaseUrl, deadlineMillis, freezes, isCalm, kills, organizations, perSecond } = options
  const { postgresBin, recipients, seed, workers } = options
  yield* Console.log(
    `The seed is ${seed}: ${organizations} broadcasts to ${recipients} each, ${perSecond} a second, over ${workers} processes; ${kills} kills, ${freezes} freezes, ${crashes} crashes of the database.`
  )
  const lines = Array.from({ length: organizations }, (_, place) => ownLine(place))
  const provider = yield* startProvider(lines, seed, isCalm ? 0 : recipients * organizations)
  const control = yield* controlOf(provider.url)
  const chat = { ...app, url: provider.url, timeoutMillis }
  const database = crashes === 0 ? null : yield* ownDatabase(postgresBin, seed)
  const grounds: Grounds =
    database === null
      ? yield* makeGrounds(databaseUrl, { chat })
      : { ...(yield* groundsOnCluster(`127.0.0.1:${database.port}`)), chat }
  yield* Effect.gen(function* () {
    yield* seedTenants({ organizations, sessionsEach: 1, automations: organizations })
    yield* Effect.forEach(lines, connect, { discard: true })
  }).pipe(Effect.provide(layerPreparing(grounds)))
  const log = yield* logFile("broadcasts", seed)
  const servers = yield* Effect.forEach(Array.from({ length: workers }), () =>
    Effect.flatMap(freePort, (port) => Effect.map(makeMortal(grounds, { port, log }), (server) => ({ port, server })))
  )
  const url = `http://127.0.0.1:${servers[0]?.port ?? 0}`
  for (const { appSecret, businessId, path } of lines) yield* control.deliverTo(businessId, `${url}${path}`, appSecret)

  const checks = yield* Effect.gen(function* () {
    const campaigns = yield* Effect.forEach(lines, (line) => prepare(line, recipients, perSecond), {
      concurrency: 4
    }).pipe(Effect.provide(layerPreparing(grounds)))
    const underway = yield* Effect.forEach(campaigns, (campaign) =>
      Effect.map(sendListed(campaign), (id): Underway => ({ id, organizationId: campaign.organizationId }))
    ).pipe(Effect.provide(layerPreparing(grounds)))
    const takeovers: Array<Takeover> = []
    const stops: Array<Stop> = []
    const begun = performance.now()
    const since = () => ((performance.now() - begun) / 1_000).toFixed(1)
    yield* Console.log(`${since()} s  everything is on its way`)
    let cutOff = 0
    const trouble = yield* Scope.fork(yield* Effect.scope)
    yield* Effect.forkIn(
      cutOffConnections(drawing(seed + 1), cutEvery, () => {
        cutOff += 1
      }),
      trouble
    )
    yield* Effect.forkIn(watchTakeovers(takeovers), trouble)
    const unlisted = yield* cancelUnlisted(drawing(seed + 4), campaigns, stops).pipe(
      Effect.provide(layerPreparing(grounds))
    )
    yield* interfere(drawing(seed + 3), underway, stops).pipe(
      Effect.provide(layerPreparing(grounds)),
      Effect.forkIn(trouble)
    )
    yield* harm(
      drawing(seed + 2),
      { kill: kills, freeze: freezes, crash: crashes },
      servers.map(({ server }) => server),
      database
    )
    // Until all currently silent processes are replaced.
    yield* Effect.sleep("10 seconds")
    yield* Scope.close(trouble, Exit.void)
    const [last] = underway.toReversed()
    const isCancelled = yield* Effect.gen(function* () {
      yield* letGo(underway, stops)
      return last !== undefined && underway.length > 1 && (yield* cancel(last, stops))
    }).pipe(Effect.provide(layerPreparing(grounds)))
    const cancelled = new Set<string>([...unlisted, ...(isCancelled && last !== undefined ? [last.id] : [])])
    yield* Console.log(`${since()} s  nothing is broken any more, ${yield* left} are left`)
    yield* Effect.repeat(Effect.delay(left, "200 millis"), { until: (count) => count === 0 }).pipe(
      Effect.timeoutOption(deadlineMillis)
    )
    yield* Effect.repeat(Effect.delay(control.isIdle, "500 millis"), { until: (idle) => idle }).pipe(
      Effect.timeoutOption("30 seconds")
    )
    yield* Effect.sleep("2 seconds")
    const [provided, kept, counted] = [yield* control.log, yield* readKept, yield* readCounted]
    // Rows of a cancelled broadcast stay pending. They do not count as remaining.
    const shownStatus = ({ broadcastId, status }: Kept) =>
      status === "pending" && cancelled.has(broadcastId) ? "never sent, of cancelled broadcasts" : status
    const byStatus = Object.entries(Object.groupBy(kept, shownStatus))
      .map(([status, some]) => `${some?.length ?? 0} ${status}`)
      .join(", ")
    const called = new Set(provided.calls.map(({ reference }) => reference))
    const uncalled = kept.filter(({ reference, status }) => status === "in_doubt" && !called.has(reference)).length
    yield* Console.log(
      `${since()} s  ${provided.calls.length} calls, ${provided.accepted.length} accepted; ${byStatus} (${uncalled} of those in doubt without a call); ${cutOff} connections cut off, ${stops.length} pauses and cancels; takeovers after ${takeovers.map(({ millis }) => (millis / 1_000).toFixed(1)).join(", ")} s`
    )
    const mostUncalled = inHand(perSecond) * (kills + freezes + crashes + cutOff) * organizations
    return judge(provided, kept, counted, { perSecond, mostUncalled, stops, cancelled, takeovers })
  }).pipe(Effect.provide(layerWatching(grounds)))
  yield* conclude(seed, log, checks)
})

/** R1 to R6: broadcasts from several processes that are killed, stopped, paused and cancelled, to a provider with errors. */
export const broadcasts = Command.make(
  "broadcasts",
  {
    ...commonFlags,
    recipients: count("recipients", 300, 1_000_000, "To how many people each broadcast goes"),
    organizations: count("organizations", 3, 60, "Number of organizations, one number and one broadcast each"),
    workers: count("workers", 3, 12, "How many processes there are"),
    freezes: count("freezes", 1, 1_000, "Number of freezes that exceed the lease"),
    crashes: count(
      "crashes",
      1,
      1_000,
      "How often the database is ended as a crash does: a server of our own, unless it is 0"
    ),
    postgresBin: ownServerFlags.postgresBin,
    perSecond: count("per-second", 20, 1_000, "How many messages a second a number may send"),
    isCalm: Flag.Boolean("calm").pipe(
      Flag.withDescription("The provider takes everything, and only the service and its database are harmed"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({
    crashes,
    freezes,
    isCalm,
    organizations,
    perSecond,
    postgresBin,
    recipients,
    workers,
    ...given
  }) {
    yield* run({
      ...(yield* commonOptions(given)),
      crashes,
      freezes,
      isCalm,
      organizations,
      perSecond,
      postgresBin,
      recipients,
      workers
    }).pipe(Effect.scoped)
  })
).pipe(
  Command.withDescription(
    "Sends, pauses and cancels broadcasts from several processes that are killed, frozen and disconnected, on a crashing database and a faulty provider, and compares each recipient with the log of the provider"
  )
)
