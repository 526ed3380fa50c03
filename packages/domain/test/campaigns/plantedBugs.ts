import { Transaction, type UnitOfWork } from "@parley/domain/kernel"
import type { Claim, RecipientLedger, RecipientResult } from "@parley/domain/campaigns"
import { Effect, Exit } from "effect"
import type { PlantedBug } from "./simulation.ts"

type Ledger = RecipientLedger["Service"]

/** A claim and results as one after the other, by what else the ledger has. */
const byParts =
  (ledger: Pick<Ledger, "begin" | "next" | "settle">, transact: UnitOfWork["Service"]["transact"]): Ledger["advance"] =>
  ({ ahead, mark, results, revision, window }) =>
    Effect.gen(function* () {
      yield* transact(ledger.settle(window.broadcastId, results))
      const claim = { mark, revision, window, excluded: [], postponed: [] }
      const hasBegun = yield* Effect.exit(transact(ledger.begin(claim)))
      if (Exit.isFailure(hasBegun)) return { outcome: "list_changed" }
      if (!hasBegun.value) return { outcome: "not_sending" }
      return { outcome: "begun", ahead: yield* ledger.next(window.broadcastId, ahead) }
    })

/** A replaced owner stores claims without a fence. */
const noFence = (): PlantedBug => ({
  lanes: (lanes) => ({ ...lanes, hold: () => Effect.void }),
  ledger: (ledger, { transact }) => ({ ...ledger, advance: byParts(ledger, transact) })
})

/** Only the process knows its claims; they are stored with the results. */
const markAfterSend = (): PlantedBug => ({
  ledger: (ledger, { transact }) => {
    const kept = new Map<string, Claim>()
    const isKept = (seq: number) =>
      Array.from(kept.values()).some(({ window }) => window.calls.some((call) => call.seq === seq))
    const next: Ledger["next"] = (id, search) =>
      Effect.map(ledger.next(id, { ...search, limit: 1_000 }), ({ candidates, mark, revision }) => {
        const free = candidates.filter(({ seq }) => !isKept(seq)).slice(0, search.limit)
        return { revision, candidates: free, mark: free.length < search.limit ? mark : (free.at(-1)?.seq ?? mark) }
      })
    const begin: Ledger["begin"] = (claim) =>
      claim.window.calls.length === 0
        ? ledger.begin(claim)
        : Effect.sync(() => {
            kept.set(claim.window.id, claim)
            return true
          })
    const settle: Ledger["settle"] = Effect.fnUntraced(function* (id, results) {
      for (const windowId of new Set(results.map((result) => result.windowId))) {
        const claim = kept.get(windowId)
        kept.delete(windowId)
        if (claim !== undefined) yield* Effect.orDie(ledger.begin(claim))
      }
      yield* ledger.settle(id, results)
    })
    return { ...ledger, next, begin, settle, advance: byParts({ next, begin, settle }, transact) }
  }
})

/** Results count as stored shortly before they are. */
const answerBeforeCommit = (): PlantedBug => ({
  ledger: (ledger, { life, transact }) => {
    const settle: Ledger["settle"] = (id, results) =>
      transact(ledger.settle(id, results)).pipe(Effect.delay("1 second"), Effect.forkIn(life), Effect.asVoid)
    const advance: Ledger["advance"] = (what) =>
      Effect.andThen(
        Effect.provideService(settle(what.window.broadcastId, what.results), Transaction, {}),
        ledger.advance({ ...what, results: [] })
      )
    return { ...ledger, settle, advance }
  }
})

/** Recipients read from the list count as done: the claims of a dead process are skipped. */
const checkpointAtClaim = (): PlantedBug => {
  const claims: Array<Claim["window"]> = []
  const asDone = ({ calls, claimedAt, id }: Claim["window"]) =>
    calls.map(({ seq }): RecipientResult => ({
      windowId: id,
      seq,
      at: claimedAt,
      outcome: { kind: "sent", providerMessageId: `wamid.none.${seq}` }
    }))
  return {
    ledger: (ledger) => ({
      ...ledger,
      begin: (claim) => {
        claims.push(claim.window)
        return ledger.begin(claim)
      },
      advance: (what) => {
        claims.push(what.window)
        return ledger.advance(what)
      },
      takeOver: (account, fence, now) =>
        Effect.forEach(
          claims.filter((window) => window.fence < fence),
          (window) => ledger.settle(window.broadcastId, asDone(window)),
          { discard: true }
        ).pipe(Effect.andThen(ledger.takeOver(account, fence, now)))
    })
  }
}

/** Bugs that schedules must find, with the first schedule to try. */
export const plantedBugs: Readonly<Record<string, { readonly plant: () => PlantedBug; readonly first: number }>> = {
  "no fence": { plant: noFence, first: 61 },
  "the mark is stored after the send": { plant: markAfterSend, first: 1 },
  "an answer counts before its commit": { plant: answerBeforeCommit, first: 1 },
  "the checkpoint moves at the claim": { plant: checkpointAtClaim, first: 1 }
}
