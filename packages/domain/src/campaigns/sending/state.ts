import type { DateTime } from "effect"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import type { Organization } from "../../platform/identity/index.ts"
import type { Broadcast, BroadcastPause, BroadcastRefusal, BroadcastWaiting } from "../Broadcast.ts"
import type { BroadcastId } from "../Ids.ts"
import type { ActiveBroadcast, FoundCandidates } from "../RecipientLedger.ts"
import type { SendContext, Unsendable } from "./SendContext.ts"
import type { CallOutcome } from "./call.ts"
import type { ClaimResult } from "./claim.ts"
import type { PostponeReason } from "./decide.ts"
import type { AutomaticStep } from "./lifecycle.ts"
import { emptyOutcomes, noTurns, type RecentOutcomes, type ThrottleState, type Turns } from "./limits.ts"
import type { CallResult, PreparedCall } from "./prepareCalls.ts"

/** State of a broadcast that is sent over the account. */
export interface BroadcastSend {
  readonly id: BroadcastId
  readonly broadcast: Broadcast
  /** No call starts in `stopping`. In `stopped`, the ledger knows it. */
  readonly phase: "sending" | "stopping" | "stopped"
  /** Claimed recipients without a stored result, and the number of them that wait for their calls. */
  readonly inFlight: number
  readonly pendingCalls: number
  /** Results to store. */
  readonly results: ReadonlyArray<CallResult>
  /** Candidates after the last claimed ones; `null` if unknown. */
  readonly lookahead: FoundCandidates | null
  /** `null` until it is loaded again. */
  readonly context: SendContext | null
  readonly isFreezing: boolean
  readonly outcomes: RecentOutcomes
  readonly throttle: ThrottleState | null
  /** Time of the latest claim before this sender started. */
  readonly claimedAt: DateTime.Utc | null
  readonly progressReportedAt: DateTime.Utc | null
  readonly hasUnreportedProgress: boolean
  /** Latest reason for delayed recipients. */
  readonly postponeReason: PostponeReason | null
  /** Displayed wait. */
  readonly waiting: BroadcastWaiting | null
  /** No other recipient is due before this time. */
  readonly restsUntil: number
}

/** Stage of a round. A tick runs this stage, or the next one with commands. */
export type Stage = "settle" | "reconcile" | "claim" | "flush" | "rest"

/** State of the lane owner of an account. Times are milliseconds since the epoch. */
export interface SenderState {
  readonly accountId: ChatAccountId
  readonly stage: Stage
  /** Failed calls in a row, and the end of the account's backoff. */
  readonly backoff: { readonly failures: number; readonly restsUntil: DateTime.Utc | null }
  readonly broadcasts: ReadonlyMap<BroadcastId, BroadcastSend>
  /** Broadcasts with due recipients. */
  readonly ready: ReadonlyArray<BroadcastId>
  readonly turns: Turns<BroadcastId>
  /** Due time of other work; `null` without any. */
  readonly dueAt: number | null
  /** Time of the next claim on a slow account; `null` if no claim waits for it. */
  readonly claimAt: number | null
  /** Time to check for changes by other processes. */
  readonly reconcileAt: number
  /** Whether the current round can have missed a change. */
  readonly isWoken: boolean
}

/** State of the broadcasts of the account in storage. */
export interface AccountSnapshot {
  readonly backoff: SenderState["backoff"]
  readonly organization: Organization
  readonly broadcasts: ReadonlyArray<{ readonly broadcast: Broadcast; readonly progress: ActiveBroadcast }>
}

/** A call with its send context. */
export interface ContextCall {
  readonly call: PreparedCall
  readonly context: SendContext
}

/** Event that the step function handles. */
export type SenderInput =
  | {
      readonly _tag: "Tick"
      readonly now: DateTime.Utc
      /** Messages per second, and milliseconds until a bulk call can start. */
      readonly rate: number
      readonly readyIn: number
    }
  | { readonly _tag: "Loaded"; readonly now: DateTime.Utc; readonly snapshot: AccountSnapshot }
  | {
      readonly _tag: "ContextLoaded"
      readonly now: DateTime.Utc
      readonly id: BroadcastId
      readonly context: SendContext | Unsendable
    }
  | {
      readonly _tag: "Claimed"
      readonly now: DateTime.Utc
      readonly id: BroadcastId
      readonly context: SendContext
      readonly limit: number
      readonly claim: ClaimResult
    }
  /** A claimed recipient can be called, or its wait has ended without the pace. */
  | ({ readonly _tag: "CallReady"; readonly at: DateTime.Utc; readonly isGranted: boolean } & ContextCall)
  | {
      readonly _tag: "CallFinished"
      readonly call: PreparedCall
      readonly calledAt: DateTime.Utc
      readonly at: DateTime.Utc
      readonly outcome: CallOutcome
    }
  | { readonly _tag: "Stored"; readonly id: BroadcastId; readonly results: ReadonlyArray<CallResult> }
  /** A slice of the audience is on the list, or the freeze has ended. */
  | { readonly _tag: "Frozen"; readonly id: BroadcastId; readonly hasEnded: boolean }
  /** The lane was notified, or a wake-up of the sender itself. */
  | { readonly _tag: "Notified"; readonly by: "lane" | "sender" }

/** Instruction for the interpreter. */
export type SenderCommand =
  /** Loads the account. Unchanged broadcasts are known. */
  | { readonly _tag: "Load"; readonly known: ReadonlyMap<BroadcastId, Broadcast> }
  | { readonly _tag: "LoadContext"; readonly broadcast: Broadcast }
  /** Claims with one statement that also stores results; searches `ahead` recipients. */
  | {
      readonly _tag: "Claim"
      readonly broadcast: Broadcast
      readonly context: SendContext
      readonly limit: number
      readonly ahead: number
      readonly lookahead: FoundCandidates | null
      readonly results: ReadonlyArray<CallResult>
    }
  /** Claims in a unit of work with counts, exclusions and delays. */
  | {
      readonly _tag: "ClaimWindow"
      readonly broadcast: Broadcast
      readonly context: SendContext
      readonly limit: number
    }
  /** Waits for the pace or for a stop, concurrently with other commands. */
  | ({ readonly _tag: "AwaitPace" } & ContextCall)
  | ({ readonly _tag: "Call"; readonly at: DateTime.Utc } & ContextCall)
  | {
      readonly _tag: "ApplyAnswer"
      readonly call: PreparedCall
      readonly at: DateTime.Utc
      readonly failures: number
      readonly outcome: CallOutcome
    }
  | {
      readonly _tag: "Store"
      readonly id: BroadcastId
      readonly results: ReadonlyArray<CallResult>
      readonly reportsProgress: boolean
    }
  /** Ends the waits for the pace. */
  | { readonly _tag: "Stop"; readonly id: BroadcastId }
  | { readonly _tag: "RecordStop"; readonly id: BroadcastId }
  | {
      readonly _tag: "Pause"
      /** `null` for all broadcasts of the account. */
      readonly id: BroadcastId | null
      readonly reason: Exclude<BroadcastPause["reason"], "user">
      /** Cause at the provider; `null` without one. */
      readonly refusal: BroadcastRefusal | null
    }
  | { readonly _tag: "FailRemoved"; readonly id: BroadcastId }
  | { readonly _tag: "RunStep"; readonly broadcast: Broadcast; readonly step: AutomaticStep }
  | { readonly _tag: "Recall"; readonly id: BroadcastId; readonly now: DateTime.Utc }
  | { readonly _tag: "Freeze"; readonly id: BroadcastId }
  | { readonly _tag: "ShowWait"; readonly id: BroadcastId; readonly waiting: BroadcastWaiting | null }
  | { readonly _tag: "Wake" }
  | { readonly _tag: "Sleep"; readonly millis: number }
  | { readonly _tag: "End" }

/** Next state, and the commands in the order of execution. */
export interface Step {
  readonly state: SenderState
  readonly commands: ReadonlyArray<SenderCommand>
}

export type InputOf<Tag extends SenderInput["_tag"]> = Extract<SenderInput, { readonly _tag: Tag }>
export type CommandOf<Tag extends SenderCommand["_tag"]> = Extract<SenderCommand, { readonly _tag: Tag }>

export const newSenderState = (accountId: ChatAccountId): SenderState => ({
  accountId,
  stage: "settle",
  backoff: { failures: 0, restsUntil: null },
  broadcasts: new Map(),
  ready: [],
  turns: noTurns(),
  dueAt: null,
  claimAt: null,
  reconcileAt: 0,
  isWoken: false
})

export const newBroadcastSend = (
  broadcast: Broadcast,
  { claimedAt, toldAt }: Pick<ActiveBroadcast, "claimedAt" | "toldAt">
): BroadcastSend => ({
  id: broadcast.id,
  broadcast,
  phase: "sending",
  inFlight: 0,
  pendingCalls: 0,
  results: [],
  lookahead: null,
  context: null,
  isFreezing: false,
  outcomes: emptyOutcomes,
  throttle: null,
  claimedAt,
  progressReportedAt: toldAt,
  hasUnreportedProgress: false,
  postponeReason: null,
  waiting: broadcast.waiting,
  restsUntil: 0
})

export const sendsOf = ({ broadcasts }: SenderState): ReadonlyArray<BroadcastSend> => Array.from(broadcasts.values())

const sumOf = (state: SenderState, count: (send: BroadcastSend) => number) =>
  sendsOf(state).reduce((sum, send) => sum + count(send), 0)

/** Returns the number of the account's recipients in flight. */
export const inFlightCount = (state: SenderState): number => sumOf(state, ({ inFlight }) => inFlight)

/** Returns the number of claimed recipients that wait for their calls. */
export const pendingCallCount = (state: SenderState): number => sumOf(state, ({ pendingCalls }) => pendingCalls)

export const withSend = (state: SenderState, send: BroadcastSend): SenderState => ({
  ...state,
  broadcasts: new Map(state.broadcasts).set(send.id, send)
})

export const withoutSend = (state: SenderState, id: BroadcastId): SenderState => ({
  ...state,
  broadcasts: new Map(Array.from(state.broadcasts).filter(([each]) => each !== id))
})
