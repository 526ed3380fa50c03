import type { Clock } from "effect"

/** Delivery URL of a business account, and the secret that signs its deliveries. */
export interface Webhook {
  readonly url: string
  readonly appSecret: string
  /** Subscribed webhook fields. Default: all. */
  readonly fields?: ReadonlyArray<string>
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
  /** Other accounts that hold the number: a number can belong to several. */
  readonly otherBusinessIds?: ReadonlyArray<string>
  /** Default: false, as for a new number at the provider. */
  readonly isCallingEnabled?: boolean
  /** Whether the account has a catalog. Default: false, as for a new account at the provider. */
  readonly hasCatalog?: boolean
}

/** Automatic answers of customers: the first matching rule applies. */
export interface AutoReply {
  /** Limits the rule to messages that contain this text, ignoring case. */
  readonly contains?: string
  readonly reply: string
  /** Delay after the customer reads the message. Default: 400 ms. */
  readonly afterMillis?: number
}

/** How the simulated provider is set up. Everything may be left out. */
export interface ChatSimulatorOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  readonly host?: string
  readonly clock?: Clock.Clock
  /** Start time of a manual clock, which moves only on request. */
  readonly startAt?: number
  readonly numbers?: ReadonlyArray<SimulatedNumber>
  readonly app?: { readonly appId: string; readonly appSecret: string }
  /** Default webhook of business accounts without their own. */
  readonly webhook?: Webhook | null
  /** When receipts come after a message was accepted. */
  readonly receipts?: { readonly sent?: number; readonly delivered?: number; readonly read?: number | null }
  readonly autoReplies?: ReadonlyArray<AutoReply>
  /** Review time before a template is approved; `null` requires an explicit decision. */
  readonly reviewMillis?: number | null
  /** Template creations of an account in an hour. Default: 100. */
  readonly templatesPerHour?: number
  /** Templates of an account. Default: 250. */
  readonly maxTemplates?: number
  /** Whether review rejects a template with the body and footer of another one. Default: true. */
  readonly rejectsDuplicates?: boolean
  /** How long templates are held for a quality assessment; `null` until they are released. Default: 1 second. */
  readonly pacingMillis?: number | null
  /** Messages of a number in a second, in both directions. Default: 80, 1,000 after an upgrade, or 20 for a number of the app. */
  readonly throughputPerSecond?: number
  /** Average interval between messages of a number to the same customer, with bursts of 45; 0 switches it off. */
  readonly pairMillis?: number
  /** Marketing messages that reach a user in 24 hours; more fail with 131049. Default: no limit. */
  readonly marketingPerUser?: number
  /** Whether marketing to numbers of the United States fails with 131049, as it does at the provider. Default: false. */
  readonly pausesUsMarketing?: boolean
  /** Whether authentication messages to other countries have their own price. */
  readonly internationalAuthentication?: boolean
  /** Reports late refusals (closed window, opted out, not reachable) in a receipt, as the provider does, or in the answer. Default: receipt. */
  readonly refusals?: "answer" | "receipt"
  /**
   * Version of the app's webhook subscription, which decides the form of webhooks. Until v23.0 each `sent` status has a conversation. Default:
   * v27.0.
   */
  readonly webhookVersion?: `v${number}.0`
  /** Prefix of message ids, which prevents collisions between runs. Default: `SIM`. */
  readonly idPrefix?: string
  /** How often a delivery is tried until it is answered with 200. Default: for 7 days. */
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
