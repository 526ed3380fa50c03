import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import {
  sendLaneAccountId,
  asSystem,
  Ids,
  type LaneLease,
  defineLaneWorker,
  layerWorkersOf,
  RecipientLedger,
  type RecipientResult,
  sendTaskName,
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

/** Sends all broadcasts of an account to a provider that accepts everything immediately. */
const drain = Effect.fnUntraced(function* (lane: LaneLease, limit: number) {
  const [ledger, ids] = [yield* RecipientLedger, yield* Ids]
  for (const { broadcastId } of yield* ledger.active(sendLaneAccountId(lane))) {
    let found = yield* ledger.next(broadcastId, { now: yield* DateTime.now, limit })
    let results: ReadonlyArray<RecipientResult> = []
    while (found.candidates.length > 0) {
      const claimedAt = yield* DateTime.now
      const id = yield* ids.next
      const calls = found.candidates.map(({ contactId, seq }) => {
        return { seq, contactId, values: { "body.1": `Reader ${seq}` } }
      })
      const { mark, revision } = found
      const window = { id, broadcastId, fence: lane.fence, claimedAt, calls }
      // The database has the list only, without its contacts.
      const contacts: ReadonlyArray<never> = []
      const ahead = { now: claimedAt, limit }
      const advanced = yield* ledger.advance({ mark, revision, window, lane, contacts, results, ahead })
      done += results.length
      worker.say(done)
      if (advanced.outcome !== "begun") return
      found = advanced.ahead
      const at = yield* DateTime.now
      results = calls.map(({ seq }) => ({
        windowId: id,
        seq,
        at,
        outcome: { kind: "sent", providerMessageId: `wamid.bench.${String(seq).padStart(12, "0")}` }
      }))
    }
    yield* transact(ledger.settle(broadcastId, results))
    done += results.length
    worker.say(done)
  }
})

const works = (limit: number) => [
  defineLaneWorker({
    name: sendTaskName,
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
