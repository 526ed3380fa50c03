import { Console, Effect, Array as List } from "effect"
import { Command } from "effect/cli"
import { parley } from "../../servers/contenders.ts"
import { seed as seedTenants } from "../../tenants/seed.ts"
import { drawing } from "../drawing.ts"
import { groundsOnCluster, layerPreparing, logFile } from "../grounds.ts"
import { count, ownServerFlags, ownServerOptions } from "../options.ts"
import { makeCluster, makeFolder } from "../postgres/cluster.ts"
import { check, conclude } from "../verdict.ts"
import { type Answers, boundMillis, makeCalling } from "./calls.ts"
import { probe, untilReady } from "./probes.ts"
import { checkWishes, readStored } from "./stored.ts"

/** After this time, `/readyz` must report that the database is unavailable. */
const noticedMillis = 2_000

const shown = ({ longest, statuses }: Answers) =>
  `${[...statuses].map(([status, times]) => `${times} x ${status}`).join(", ")}; the longest took ${Math.round(longest)} ms`

const run = Effect.fnUntraced(function* (
  options: Effect.Success<ReturnType<typeof ownServerOptions>> & { readonly calls: number }
) {
  const { calls, programs, seed } = options
  yield* Console.log(
    `The seed is ${seed}: ${calls} calls while the database is stopped, ${calls} while it is frozen, ${calls} while it refuses connections.`
  )
  const database = yield* makeCluster({ programs, folder: yield* makeFolder, name: "database" })
  const grounds = yield* groundsOnCluster(`127.0.0.1:${database.port}`)
  const { callers } = yield* seedTenants({ organizations: 1, sessionsEach: 1, automations: 1 }).pipe(
    Effect.provide(layerPreparing(grounds))
  )
  const log = yield* logFile("outage", seed)
  const { url } = yield* parley(grounds, { log })
  const calling = yield* makeCalling(url, List.getUnsafe(callers, 0), drawing(seed))

  const usually = Effect.fnUntraced(function* (when: string) {
    const answers = yield* calling.callFor(60, 1_000)
    yield* Console.log(`${when}: ${shown(answers)}`)
    const failed = [...answers.statuses].filter(([status]) => !/^20[01]$/u.test(status))
    return check(`${when} all calls succeed`, failed, ([status, times]) => `${times} x ${status}`)
  })

  const away = Effect.fnUntraced(function* <E, R, E2, R2>(
    what: string,
    millis: number,
    leave: Effect.Effect<unknown, E, R>,
    comeBack: Effect.Effect<unknown, E2, R2>
  ) {
    const [answers, probes] = yield* Effect.all(
      [
        calling.callFor(calls, millis),
        Effect.andThen(Effect.delay(leave, "500 millis"), probe(url, Math.floor(millis / 1_000), noticedMillis))
      ],
      { concurrency: 2 }
    )
    yield* comeBack
    const ready = yield* untilReady(url)
    yield* Console.log(
      `${what}: ${shown(answers)}; /readyz is 503 after ${probes.noticed} ms, and 200 again ${ready} ms after the database is back; what needs no database took ${probes.longest} ms at most`
    )
    return [
      {
        invariant: `${what}: 503 with Retry-After within ${boundMillis} ms, or done`,
        looked: calls,
        faults: answers.faults
      },
      {
        invariant: `${what}: what needs no database is answered within ${boundMillis} ms, and /readyz is 503`,
        looked: probes.looked,
        faults: probes.faults
      }
    ]
  })

  const checks = [
    yield* usually("before"),
    ...(yield* away("stopped", 6_000, database.stop, database.start)),
    yield* usually("after the stop"),
    ...(yield* away("standing still", 12_000, database.standStill, database.resume)),
    yield* usually("after the standstill"),
    ...(yield* away("refusing connections", 6_000, database.refuse, database.admit)),
    yield* usually("after the refusals"),
    {
      invariant: "repeated requests with a key are accepted",
      looked: calling.wishes.length,
      faults: yield* calling.insist
    }
  ]
  const stored = yield* readStored(database)
  const { checks: kept, unknown, unknownStored } = checkWishes(calling.wishes, stored)
  yield* Console.log(
    `${stored.length} contacts are stored; of ${unknown} writes without a key and with an unknown result, ${unknownStored} are stored`
  )
  yield* conclude(seed, log, [...checks, ...kept])
})

/** Stops the database, freezes it and makes it refuse connections during calls. It recovers after each phase. */
export const outage = Command.make(
  "outage",
  { ...ownServerFlags, calls: count("calls", 500, 100_000, "Number of calls in each of the three outages") },
  Effect.fnUntraced(function* ({ calls, ...given }) {
    yield* run({ ...(yield* ownServerOptions(given)), calls }).pipe(Effect.scoped)
  })
).pipe(
  Command.withDescription(
    "Stops, freezes and closes the database under load: each call is answered in time, and each acknowledged write is stored once"
  )
)
