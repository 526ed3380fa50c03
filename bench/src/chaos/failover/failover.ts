import { Console, Effect, Array as List } from "effect"
import { Command } from "effect/cli"
import { ownLine } from "../../chat/provider.ts"
import { parley } from "../../servers/contenders.ts"
import { seed as seedTenants } from "../../tenants/seed.ts"
import { drawing } from "../drawing.ts"
import { groundsOnCluster, layerPreparing, layerWatching, logFile } from "../grounds.ts"
import { count, ownServerFlags, ownServerOptions } from "../options.ts"
import { checkWishes, readStored } from "../outage/stored.ts"
import { makeCluster, makeFolder, replicateSynchronously } from "../postgres/cluster.ts"
import { controlOf } from "../sends/control.ts"
import { judge } from "../sends/judge.ts"
import { noLetters, writeAll } from "../sends/letters.ts"
import { app, connect, isAtRest, left, openTalks, readKept, startProvider } from "../sends/sends.ts"
import { check, conclude, same } from "../verdict.ts"
import { callAgain, haveCustomersWrite, nothingSeen } from "./load.ts"

/** Within this time after the primary died, callers are served again. */
const servedMillis = 10_000

const lettersEach = 8

/** Received messages: the phones of the customers, once for each stored message. */
const phonesHeard = `SELECT c.phone FROM messages AS m
  JOIN conversations AS v ON v.organization_id = m.organization_id AND v.id = m.conversation_id
  JOIN contacts AS c ON c.organization_id = v.organization_id AND c.id = v.contact_id
  WHERE m.direction = 'inbound' AND c.phone LIKE '+49160%' ORDER BY 1`

const run = Effect.fnUntraced(function* (
  options: Effect.Success<ReturnType<typeof ownServerOptions>> & { readonly seconds: number; readonly people: number }
) {
  const { people, programs, seconds, seed } = options
  yield* Console.log(`The seed is ${seed}: ${seconds} s of load, and ${people * lettersEach} messages that are sent.`)
  const folder = yield* makeFolder
  const primary = yield* makeCluster({ programs, folder, name: "primary" })
  const replica = yield* makeCluster({ programs, folder, name: "replica", replicaOf: primary.port })
  yield* replicateSynchronously(primary)

  const line = ownLine(0)
  const provider = yield* startProvider([line], seed, 0)
  const control = yield* controlOf(provider.url)
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${replica.port}`
  const onBoth = yield* groundsOnCluster(hosts, "?target_session_attrs=read-write")
  const grounds = { ...onBoth, chat: { ...app, url: provider.url } }
  const { callers } = yield* Effect.gen(function* () {
    const population = yield* seedTenants({ organizations: 1, sessionsEach: 1, automations: 1 })
    yield* connect(line)
    return population
  }).pipe(Effect.provide(layerPreparing(grounds)))
  const log = yield* logFile("failover", seed)
  const { url } = yield* parley(grounds, { log })
  const talks = yield* openTalks(control, url, [line], people, callers).pipe(Effect.provide(layerWatching(grounds)))

  const seen = nothingSeen()
  const letters = noLetters()
  const begun = performance.now()
  const endsAt = begun + seconds * 1_000
  const change = Effect.gen(function* () {
    yield* Effect.sleep((seconds * 1_000) / 4)
    const diedAt = performance.now()
    yield* primary.stop
    yield* replica.promote
    return { diedAt, promotedAt: performance.now() }
  })
  const [{ diedAt, promotedAt }] = yield* Effect.all(
    [
      change,
      callAgain(url, List.getUnsafe(callers, 0), seen, endsAt),
      haveCustomersWrite(control, line, seen, endsAt),
      writeAll(url, talks, lettersEach, letters, (talk) => drawing(seed + 100 + talk))
    ],
    { concurrency: "unbounded" }
  )

  const { kept, provided, still } = yield* Effect.gen(function* () {
    const rest = Effect.repeat(Effect.delay(isAtRest(control), "200 millis"), { until: (is) => is })
    yield* Effect.timeoutOption(rest, "1 minute")
    return { kept: yield* readKept, provided: yield* control.log, still: yield* left }
  }).pipe(Effect.provide(layerWatching(grounds)))

  const afterwards = (times: ReadonlyArray<number>) => {
    const first = times.find((at) => at > promotedAt)
    return first === undefined ? Number.POSITIVE_INFINITY : Math.round(first - diedAt)
  }
  const [written, read] = [afterwards(seen.written), afterwards(seen.read)]
  yield* Console.log(
    `The replica is promoted ${Math.round(promotedAt - diedAt)} ms after the primary died; the first write is acknowledged after ${written} ms, the first read served after ${read} ms.`
  )
  yield* Console.log(
    `${seen.taken.size} writes are acknowledged (${seen.again} asked for again), ${seen.read.length} reads served (${seen.refusedReads} refused), ${seen.customers.length} customers' messages delivered, ${letters.taken.size} messages taken (${letters.again} again), ${provided.accepted.length} accepted by the provider, ${kept.filter(({ status }) => status === "in_doubt").length} in doubt.`
  )
  const wishes = [...seen.taken].map(([name, id]) => ({ name, id, key: name, state: "taken" as const }))
  const heard = (yield* replica.query(phonesHeard)).split("\n").filter(Boolean)
  yield* conclude(seed, log, [
    same(`the first write is acknowledged within ${servedMillis} ms`, written <= servedMillis, true),
    same(`the first read is served within ${servedMillis} ms`, read <= servedMillis, true),
    check("calls are done, or refused with 503", seen.odd, (answer) => answer),
    ...checkWishes(wishes, yield* readStored(replica)).checks,
    same(
      "incoming messages are stored once each",
      heard,
      seen.customers.map((phone) => `+${phone}`)
    ),
    check("answers take a message, or ask for patience", letters.odd, (answer) => answer),
    same("as many messages as were written", [letters.taken.size, kept.length], Array(2).fill(people * lettersEach)),
    same("nothing waits at the end, and nothing is parked", still, { sends: 0, waiting: 0, parked: 0 }),
    ...judge(provided, kept, letters.taken)
  ])
})

/** The primary dies under load, and its replica is promoted. */
export const failover = Command.make(
  "failover",
  {
    ...ownServerFlags,
    seconds: count(
      "seconds",
      24,
      3_600,
      "For how many seconds there are calls; the primary dies after a quarter of them"
    ),
    people: count("people", 12, 10_000, `To how many people ${lettersEach} messages each are sent`)
  },
  Effect.fnUntraced(function* ({ people, seconds, ...given }) {
    yield* run({ ...(yield* ownServerOptions(given)), seconds, people }).pipe(Effect.scoped)
  })
).pipe(
  Command.withDescription(
    "Kills the primary under load and promotes its synchronous replica: callers are served again within ten seconds, nothing is lost, and nothing is done twice"
  )
)
