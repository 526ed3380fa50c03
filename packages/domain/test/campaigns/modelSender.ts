import type { BroadcastId } from "@parley/domain/campaigns"
import { DateTime } from "effect"
import type { SendContext } from "../../src/campaigns/sending/SendContext.ts"
import {
  maxClaimAge,
  maxInFlight,
  maxPendingCalls,
  probeAfterFailures,
  windowSize
} from "../../src/campaigns/sending/limits.ts"
import {
  type CommandOf,
  newSenderState,
  pendingCallCount,
  type SenderCommand,
  type SenderInput,
  type SenderState,
  sendsOf
} from "../../src/campaigns/sending/state.ts"
import type { step } from "../../src/campaigns/sending/step.ts"
import { type Draw, drawsOf } from "./draws.ts"
import { drawOutcome, makeModelLedger } from "./modelLedger.ts"

const utc = (millis: number) => DateTime.makeUnsafe(millis)

interface CallInFlight {
  readonly command: CommandOf<"Call">
  readonly endsAt: number
}

/**
 * The sender of an account on a model of everything outside: the storage, the provider, the pace and the clock. Draws decide durations, answers and
 * the order of concurrent events.
 */
export class ModelSender {
  readonly faults = new Set<string>()
  readonly draw: Draw
  readonly ledger: ReturnType<typeof makeModelLedger>
  readonly rate: number
  now: number
  state: SenderState
  isNotified = false
  readonly #step: typeof step
  readonly #context: SendContext
  #nextGrantAt: number
  #tickedAt: number
  #failures = 0
  #isWoken = false
  #waiting: Array<CommandOf<"AwaitPace">> = []
  #calling: Array<CallInFlight> = []
  readonly #stopped = new Set<BroadcastId>()
  readonly #delivered = new Set<string>()

  constructor(seed: number, stepOf: typeof step) {
    this.#step = stepOf
    this.draw = drawsOf(seed)
    this.ledger = makeModelLedger(this.draw, (fault) => void this.faults.add(fault))
    this.rate = 1 + this.draw(this.draw(2) === 0 ? 5 : 200)
    const messagingLimit = this.draw(3) === 0 ? "TIER_1K" : null
    const context: unknown = { account: { messagingLimit }, settings: { frequencyCaps: [] }, zone: "UTC" }
    this.#context = context as SendContext
    this.now = this.ledger.start
    this.#nextGrantAt = this.now
    this.#tickedAt = this.now
    this.state = newSenderState(this.ledger.accountId)
  }

  #check(isFine: boolean, fault: string) {
    if (!isFine) this.faults.add(fault)
  }

  #apply(input: SenderInput): ReadonlyArray<SenderCommand> {
    const { commands, state } = this.#step(this.state, input)
    this.state = state
    for (const { inFlight, pendingCalls, results } of sendsOf(state)) {
      this.#check(pendingCalls >= 0 && inFlight >= pendingCalls + results.length, "the counts of a broadcast are wrong")
    }
    return commands
  }

  tick() {
    const readyIn = Math.max(0, this.#nextGrantAt - this.now)
    this.#isWoken = false
    this.#tickedAt = this.now
    return this.#apply({ _tag: "Tick", now: utc(this.now), rate: this.rate, readyIn })
  }

  /** Executes a command and the commands that follow from it. */
  perform(command: SenderCommand): void {
    const input = this.#execute(command)
    if (input === null) return
    for (const next of this.#apply(input)) this.perform(next)
  }

  /** Executes a command, and returns its result. Some commands take a while. */
  #execute(command: SenderCommand): SenderInput | null {
    switch (command._tag) {
      case "AwaitPace":
        this.#waiting.push(command)
        return null
      case "Call":
        return this.#startCall(command)
      case "ApplyAnswer":
        if (command.outcome.answer !== null)
          this.#failures = command.outcome.answer === "silence" ? this.#failures + 1 : 0
        return null
      case "Pause":
        this.ledger.pause(command.id, utc(this.now))
        return null
      case "Stop":
        this.#stopped.add(command.id)
        for (const each of this.#waiting.filter(({ call }) => call.broadcastId === command.id)) this.#ready(each, false)
        return null
      case "Wake":
        this.#isWoken = true
        return { _tag: "Notified", by: "sender" }
      case "Sleep":
        return this.#sleep(command.millis)
      default:
        this.pass(this.draw(4) === 0 ? this.draw(150) : this.draw(10))
        return this.#store(command)
    }
  }

  #store(command: SenderCommand): SenderInput | null {
    switch (command._tag) {
      case "Load":
        return this.#load()
      case "LoadContext":
        return this.#loadContext(command.broadcast.id)
      case "Claim":
      case "ClaimWindow":
        return this.#claim(command)
      case "Store": {
        const { id, results } = command
        this.ledger.store(id, results)
        return { _tag: "Stored", id, results }
      }
      case "RecordStop": {
        const model = this.ledger.find(command.id)
        this.#check(
          this.#waiting.every(({ call }) => call.broadcastId !== command.id),
          "a stop is recorded too early"
        )
        model.isStopRecorded = true
        return null
      }
      case "RunStep":
        this.ledger.complete(command.broadcast.id)
        return null
      default:
        return null
    }
  }

  #loadContext(id: BroadcastId): SenderInput {
    const context = this.draw(40) === 0 ? ({ unfit: "template", refusal: null } as const) : this.#context
    return { _tag: "ContextLoaded", now: utc(this.now), id, context }
  }

  #load(): SenderInput {
    const isResting = this.#failures >= probeAfterFailures && this.draw(2) === 0
    const backoff = { failures: this.#failures, restsUntil: isResting ? utc(this.now + 3_000) : null }
    const organization: unknown = { status: "active", timezone: "UTC" }
    const snapshot = { backoff, organization, broadcasts: this.ledger.active() }
    return { _tag: "Loaded", now: utc(this.now), snapshot } as SenderInput
  }

  #claim(command: CommandOf<"Claim" | "ClaimWindow">): SenderInput {
    const { broadcast, context, limit } = command
    const { id } = broadcast
    const carried = command._tag === "Claim" ? command.results : []
    this.#checkClaim(limit, carried.length)
    this.#stopped.delete(id)
    const stored = carried.filter(() => this.draw(8) > 0)
    this.ledger.store(id, stored)
    const isDirect = command._tag === "Claim"
    const claim =
      isDirect && this.draw(8) === 0 ? ({ kind: "unfit" } as const) : this.ledger.claim(id, limit, this.now, isDirect)
    if (claim.kind === "claimed") this.ledger.find(id).grantedAt.push(...claim.calls.map(() => this.#tickedAt))
    return { _tag: "Claimed", now: utc(this.now), id, context, limit, claim: { ...claim, stored } }
  }

  #checkClaim(limit: number, carried: number) {
    const inFlight = this.ledger.broadcasts.reduce((sum, model) => sum + model.inFlight.size, 0) - carried
    const most = this.state.backoff.failures >= probeAfterFailures ? 1 : maxInFlight(this.rate)
    const pending = pendingCallCount(this.state)
    this.#check(limit >= 1 && limit <= windowSize(this.rate), "a claim has the wrong size")
    this.#check(inFlight + limit <= most, "too many recipients are in flight")
    this.#check(pending === 0 || pending + limit <= maxPendingCalls(this.rate), "too many recipients wait for calls")
  }

  #startCall(command: CommandOf<"Call">) {
    const { broadcastId, claimedAt, seq } = command.call
    const isStopped = this.#stopped.has(broadcastId) || this.ledger.find(broadcastId).isStopRecorded
    this.#check(!isStopped, "a call starts after the stop")
    this.#check(this.now - DateTime.toEpochMillis(claimedAt) <= maxClaimAge, "a call starts too late after its claim")
    this.#check(!this.#delivered.has(`${broadcastId} ${seq}`), "a recipient is called again after a message")
    this.#calling.push({ command, endsAt: this.now + this.draw(this.draw(4) === 0 ? 3_000 : 200) })
    return null
  }

  #ready(command: CommandOf<"AwaitPace">, isGranted: boolean) {
    const { call, context } = command
    this.#waiting = this.#waiting.filter((each) => each !== command)
    const input = { _tag: "CallReady", call, context, at: utc(this.now), isGranted } as const
    for (const next of this.#apply(input)) this.perform(next)
  }

  #finish(each: CallInFlight) {
    const { at: calledAt, call } = each.command
    this.#calling = this.#calling.filter((other) => other !== each)
    const outcome = drawOutcome(this.draw, this.now)
    const { kind } = outcome.outcome
    if (kind === "sent" || kind === "in_doubt") this.#delivered.add(`${call.broadcastId} ${call.seq}`)
    const input = { _tag: "CallFinished", call, calledAt, at: utc(this.now), outcome } as const
    for (const next of this.#apply(input)) this.perform(next)
  }

  /** Starts a new turn of the lane after a while. */
  restart(millis: number) {
    this.pass(millis)
    this.state = newSenderState(this.ledger.accountId)
  }

  /** Advances the time, with the calls that start or end in it. */
  pass(millis: number, isOver: () => boolean = () => false) {
    const end = this.now + millis
    while (!isOver()) {
      const [first] = this.#waiting
      const [soonest] = this.#calling.toSorted((one, other) => one.endsAt - other.endsAt)
      const grantAt = first === undefined ? Number.POSITIVE_INFINITY : Math.max(this.now, this.#nextGrantAt)
      const at = Math.max(this.now, Math.min(grantAt, soonest?.endsAt ?? Number.POSITIVE_INFINITY))
      if (at > end) break
      this.now = at
      if (first !== undefined && grantAt === at) {
        this.#nextGrantAt = at + 1_000 / this.rate
        this.#ready(first, true)
      } else if (soonest !== undefined) this.#finish(soonest)
    }
    if (!isOver()) this.now = end
  }

  #sleep(millis: number): SenderInput | null {
    this.pass(millis, () => this.#isWoken || this.isNotified)
    const { isNotified } = this
    this.isNotified = false
    return isNotified ? { _tag: "Notified", by: "lane" } : null
  }
}
