import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import {
  accountOfLane,
  asSystem,
  type BroadcastId,
  Ids,
  type LaneLease,
  LaneQueue,
  laneWork,
  layerWorkersOf,
  RecipientLedger,
  type RecipientResult,
  sendsWork,
  transact
} from "@parley/domain"
import { Database, layer as layerStorage } from "@parley/postgres-adapter"
import * as Security from "@parley/provider-adapters/security"
import { Config, DateTime, Effect, Layer } from "effect"
import { issuer } from "../../servers/Setup.ts"
import { worker } from "../fleet/worker.ts"

const setup = Config.unwrap({
  url: Config.Redacted("BENCH_DATABASE_URL"),
  masterKeys: Config.Redacted("BENCH_MASTER_KEYS"),
  window: Config.Int("BENCH_WINDOW"),
  poolSize: Config.Int("BENCH_POOL_SIZE")
})

let done = 0

/** Takes the next ones in hand as the owner of the account, and stores that before anything else. */
const claim = Effect.fnUntraced(function* (lane: LaneLease, broadcastId: BroadcastId, limit: number) {
  const ledger = yield* RecipientLedger
  const claimedAt = yield* DateTime.now
  const { candidates, mark, revision } = yield* ledger.next(broadcastId, { now: claimedAt, limit })
  const id = yield* (yield* Ids).next
  const calls = candidates.map(({ contactId, seq }) => ({ seq, contactId, values: { "body.1": `Reader ${seq}` } }))
  const window = { id, broadcastId, fence: lane.fence, claimedAt, calls }
  yield* ledger.begin({ mark, revision, window, excluded: [], postponed: [] })
  yield* (yield* LaneQueue).hold(lane)
  return window
}, transact)

/** Sends all broadcasts of an account to a provider that takes everything at once. */
const drain = Effect.fnUntraced(function* (lane: LaneLease, limit: number) {
  const ledger = yield* RecipientLedger
  for (const { broadcastId } of yield* ledger.active(accountOfLane(lane))) {
    for (;;) {
      const { calls, id } = yield* claim(lane, broadcastId, limit)
      if (calls.length === 0) break
      const at = yield* DateTime.now
      const results = calls.map(({ seq }): RecipientResult => ({
        windowId: id,
        seq,
        at,
        outcome: { kind: "sent", providerMessageId: `wamid.bench.${String(seq).padStart(12, "0")}` }
      }))
      yield* transact(ledger.settle(broadcastId, results))
      done += calls.length
      worker.say(done)
    }
  }
})

const works = (limit: number) => [
  laneWork({
    name: sendsWork,
    concurrency: 64,
    run: (lane) => asSystem("bench")(lane.organizationId)(drain(lane, limit)),
    nextDue: () => Effect.succeed(null)
  })
]

const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { masterKeys, poolSize, url, window } = yield* setup
    return layerWorkersOf(works(window), { name: "bench", lookMillis: 100 }).pipe(
      Layer.provide(Security.layer({ masterKeys, tokens: { issuer } })),
      Layer.provide(layerStorage),
      Layer.provide(Database.layer({ url, maxConnections: poolSize, applicationName: "parley-bench" }))
    )
  })
)

worker.untilGo.pipe(Effect.andThen(Effect.never), Effect.provide([layer, NodeServices.layer]), NodeRuntime.runMain)
