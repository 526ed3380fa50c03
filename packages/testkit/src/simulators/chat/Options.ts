import type { Clock } from "effect"

/** Where a business account has its deliveries sent, and what they are signed with. */
export interface Webhook {
  readonly url: string
  readonly appSecret: string
}

/** A number, its business account, and the token that may use it. */
export interface SimulatedNumber {
  readonly phoneId: string
  readonly businessId: string
  readonly displayPhone: string
  readonly verifiedName?: string
  readonly accessToken: string
  readonly quality?: "GREEN" | "YELLOW" | "RED"
  readonly messagingLimit?: string
}

/** Customers answer by themselves: the first rule that fits a message is followed. */
export interface AutoReply {
  /** Only messages whose text holds this, whatever its case. */
  readonly contains?: string
  readonly reply: string
  /** How long after it was read: 400 ms unless it is said. */
  readonly afterMillis?: number
}

/** How the simulated provider is set up. Everything may be left out. */
export interface ChatSimulatorOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  readonly host?: string
  readonly clock?: Clock.Clock
  /** Begins at this time, and moves only when it is told to. */
  readonly startAt?: number
  readonly numbers?: ReadonlyArray<SimulatedNumber>
  readonly app?: { readonly appId: string; readonly appSecret: string }
  /** For every business account that has none of its own. */
  readonly webhook?: Webhook | null
  /** When receipts come after a message was accepted. */
  readonly receipts?: { readonly sent?: number; readonly delivered?: number; readonly read?: number | null }
  readonly autoReplies?: ReadonlyArray<AutoReply>
  /** How long a template is looked at before it is approved; `null` leaves it to be decided. */
  readonly reviewMillis?: number | null
  readonly throughputPerSecond?: number
  /** How long a number waits before it writes to the same customer again; 0 switches it off. */
  readonly pairMillis?: number
  /**
   * Where it is said that a customer cannot get a message (closed window, opted out, not reachable): in the answer,
   * or in a receipt as the provider mostly does.
   */
  readonly refusals?: "answer" | "receipt"
  /** What the ids of messages begin with, so that those of one run are never those of another: `SIM` unless it is said. */
  readonly idPrefix?: string
  /** How often a delivery is tried until it is answered with 200. */
  readonly attempts?: number
}

/** The numbers that are there unless others are named. */
export const defaultNumbers: ReadonlyArray<SimulatedNumber> = [
  {
    phoneId: "200000000000001",
    businessId: "100000000000001",
    displayPhone: "15550100001",
    verifiedName: "Parley Demo",
    accessToken: "simulator-token"
  }
]

export const defaultApp = { appId: "300000000000001", appSecret: "simulator-app-secret" }
