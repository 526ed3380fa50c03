import { ContactId } from "@parley/domain/crm"
import type { ChatAccountId } from "@parley/domain/messaging"
import {
  type ActiveBroadcast,
  Broadcast,
  BroadcastId,
  emptyBroadcastStats,
  type FoundCandidates,
  hasEnded,
  toDraft
} from "@parley/domain/campaigns"
import { DateTime } from "effect"
import type { CallOutcome } from "../../src/campaigns/sending/call.ts"
import type { ClaimResult } from "../../src/campaigns/sending/claim.ts"
import type { CallResult, PreparedCall } from "../../src/campaigns/sending/prepareCalls.ts"
import type { Draw } from "./draws.ts"

/** A recipient that waits for its due time. */
interface WaitingRecipient {
  readonly seq: number
  readonly dueAt: number
}

/** A broadcast in the storage of the model. */
export interface ModelBroadcast {
  broadcast: Broadcast
  readonly size: number
  mark: number
  waiting: Array<WaitingRecipient>
  readonly inFlight: Map<string, PreparedCall>
  claimedAt: DateTime.Utc | null
  /** Times at which recipients were granted, for the check of the throttle. */
  readonly grantedAt: Array<number>
  readonly settled: { sent: number; failed: number; inDoubt: number; excluded: number; neverSent: number }
  doubtedAt: DateTime.Utc | null
  isStopRecorded: boolean
}

const start = DateTime.toEpochMillis(DateTime.makeUnsafe("2026-03-02T10:00:00Z"))

const accountAt = "01980000-0000-7000-8000-0000000000aa" as ChatAccountId

const nothingAhead: FoundCandidates = { candidates: [], mark: 0, revision: 0 }

const keyOf = ({ seq, windowId }: Pick<PreparedCall, "seq" | "windowId">) => `${windowId} ${seq}`

const to = { kind: "phone", value: "+4915100000000" } as const

const decisionOf = (drawn: number) => (drawn === 0 ? "exclude" : drawn === 1 ? "postpone" : "send")

const callOf = (
  broadcastId: BroadcastId,
  seq: number,
  window: number,
  millis: number,
  isDirect: boolean
): PreparedCall => {
  const at = DateTime.makeUnsafe(millis)
  return {
    broadcastId,
    seq,
    contactId: ContactId.make(broadcastId),
    chatAccountId: accountAt,
    windowId: `window ${window}`,
    claimedAt: at,
    attempts: 0,
    outgoing: { to, content: { kind: "text", text: "Hello" }, replyTo: null, reference: `${seq}` },
    counted: isDirect ? null : { business: { provider: "whatsapp", businessId: "1" }, recipient: to, at }
  }
}

const givenModelBroadcast = (draw: Draw, place: number): ModelBroadcast => {
  const now = DateTime.makeUnsafe(start)
  const draft = toDraft(
    BroadcastId.make(`01980000-0000-7000-8000-00000000000${place}`),
    { name: "Spring", chatAccountId: accountAt, throttle: draw(3) === 0 ? { perMinute: 1 + draw(600) } : null },
    now,
    { kind: "operator", name: "test" }
  )
  return {
    broadcast: new Broadcast({ ...draft, status: "sending", frozenAt: now, startedAt: now }),
    size: 1 + draw(draw(4) === 0 ? 200 : 30),
    mark: 0,
    waiting: [],
    inFlight: new Map(),
    claimedAt: null,
    grantedAt: [],
    settled: { sent: 0, failed: 0, inDoubt: 0, excluded: 0, neverSent: 0 },
    doubtedAt: null,
    isStopRecorded: false
  }
}

/** Answer of a provider. */
export const drawOutcome = (draw: Draw, now: number): CallOutcome => {
  const again = { kind: "pending", dueAt: DateTime.makeUnsafe(now + 2_000), counts: false } as const
  const refused = (remedy: "slow_down" | "stop_account") => ({ remedy }) as CallOutcome["refusal"]
  const kind = draw(60)
  if (kind === 0) return { outcome: again, isFailure: null, answer: "answered", refusal: refused("stop_account") }
  if (kind < 4) return { outcome: again, isFailure: null, answer: null, refusal: refused("slow_down") }
  if (kind < 8) return { outcome: { kind: "in_doubt" }, isFailure: null, answer: "silence", refusal: null }
  if (kind < 12) {
    const failed = { kind: "failed", error: { code: "unknown" } } as unknown as CallOutcome["outcome"]
    return { outcome: failed, isFailure: true, answer: "answered", refusal: null }
  }
  return { outcome: { kind: "sent", providerMessageId: "1" }, isFailure: false, answer: "answered", refusal: null }
}

const pendingOf = ({ broadcast, mark, size, waiting }: ModelBroadcast) =>
  hasEnded(broadcast.status) ? 0 : size - mark + waiting.length

const settle = (model: ModelBroadcast, { at, outcome, seq }: CallResult) => {
  const { broadcast, settled } = model
  switch (outcome.kind) {
    case "sent":
      settled.sent += 1
      return
    case "failed":
      settled.failed += 1
      return
    case "in_doubt":
      settled.inDoubt += 1
      model.doubtedAt = at
      return
    case "pending":
      if (hasEnded(broadcast.status)) settled.neverSent += 1
      else model.waiting.push({ seq, dueAt: DateTime.toEpochMillis(outcome.dueAt) })
  }
}

/** Storage of one account with several broadcasts, without the effects of the real one. */
export const makeModelLedger = (draw: Draw, fault: (what: string) => void) => {
  const broadcasts = Array.from({ length: 1 + draw(4) }, (_, place) => givenModelBroadcast(draw, place))
  let windows = 0

  const find = (id: BroadcastId): ModelBroadcast => {
    const found = broadcasts.find(({ broadcast }) => broadcast.id === id)
    if (found === undefined) throw new Error(`There is no broadcast ${id}.`)
    return found
  }

  const store = (id: BroadcastId, results: ReadonlyArray<CallResult>) => {
    const model = find(id)
    for (const result of results) {
      if (!model.inFlight.delete(keyOf(result))) fault("a recipient has two results")
      settle(model, result)
    }
  }

  const change = (model: ModelBroadcast, fields: Partial<Broadcast>) => {
    const { version } = model.broadcast
    model.broadcast = new Broadcast({ ...model.broadcast, ...fields, version: version + 1 })
  }

  /** Takes due recipients. In a unit of work, some of them are excluded or delayed. */
  const claim = (id: BroadcastId, limit: number, now: number, isDirect: boolean): ClaimResult => {
    const model = find(id)
    if (model.broadcast.status !== "sending") return { kind: "not_sending", stored: [] }
    const due = model.waiting.filter(({ dueAt }) => dueAt <= now).slice(0, limit)
    model.waiting = model.waiting.filter((each) => !due.includes(each))
    const fresh = Math.min(model.size - model.mark, limit - due.length)
    const places = [...due.map(({ seq }) => seq), ...Array.from({ length: fresh }, (_, at) => model.mark + at + 1)]
    model.mark += fresh
    model.isStopRecorded = false
    windows += 1
    const isBlocked = !isDirect && places.length > 0 && draw(12) === 0
    const decided = places.map((seq) => ({ seq, what: isDirect ? "send" : decisionOf(draw(isBlocked ? 2 : 10)) }))
    const left = decided.filter(({ what }) => what === "postpone")
    model.waiting.push(...left.map(({ seq }) => ({ seq, dueAt: now + 1_000 * (1 + draw(30)) })))
    model.settled.excluded += decided.filter(({ what }) => what === "exclude").length
    const calls = decided.flatMap(({ seq, what }) => (what === "send" ? [callOf(id, seq, windows, now, isDirect)] : []))
    for (const call of calls) model.inFlight.set(keyOf(call), call)
    if (calls.length > 0) model.claimedAt = DateTime.makeUnsafe(now)
    return {
      kind: "claimed",
      calls,
      stored: [],
      lookahead: isDirect ? nothingAhead : null,
      postponeReason: left.length > 0 ? "quiet_hours" : null,
      freeAt: isBlocked ? DateTime.makeUnsafe(now + 20_000) : null,
      isAll: places.length < limit
    }
  }

  const progress = (model: ModelBroadcast): ActiveBroadcast => {
    const { broadcast, doubtedAt, inFlight, mark, settled, size, waiting } = model
    const [next] = waiting.map(({ dueAt }) => dueAt).toSorted((one, other) => one - other)
    return {
      broadcastId: broadcast.id,
      status: broadcast.status,
      version: broadcast.version,
      stats: { ...emptyBroadcastStats, ...settled, pending: pendingOf(model), inFlight: inFlight.size, matched: size },
      isFrozen: true,
      listed: size,
      mark,
      nextDueAt: next === undefined ? null : DateTime.makeUnsafe(next),
      isNextPutOff: false,
      doubtedAt,
      claimedAt: model.claimedAt,
      toldAt: null,
      isRecalled: false
    }
  }

  /** Sets pending recipients to never sent. */
  const end = (model: ModelBroadcast, status: "cancelled" | "completed") => {
    model.settled.neverSent += pendingOf(model)
    change(model, { status })
  }

  return {
    start,
    accountId: accountAt,
    broadcasts,
    find,
    store,
    change,
    claim,
    pendingOf,
    end,
    complete: (id: BroadcastId) => {
      const model = find(id)
      const isLeft = pendingOf(model) > 0 || model.inFlight.size > 0
      if (!isLeft && !hasEnded(model.broadcast.status)) end(model, "completed")
    },
    /** Pauses a broadcast, or all. */
    pause: (id: BroadcastId | null, at: DateTime.Utc) => {
      for (const model of broadcasts) {
        const { broadcast } = model
        if ((id !== null && id !== broadcast.id) || broadcast.status !== "sending") continue
        change(model, { status: "paused", pause: { reason: "account", at, by: null } })
      }
    },
    active: () =>
      broadcasts
        .filter(({ broadcast, inFlight }) => !hasEnded(broadcast.status) || inFlight.size > 0)
        .map((model) => ({ broadcast: model.broadcast, progress: progress(model) }))
  }
}
