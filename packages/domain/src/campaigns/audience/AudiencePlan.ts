import type { DateTime } from "effect"
import type { Recipient } from "../../messaging/chat/index.ts"
import type { Contact, Filter } from "../../crm/index.ts"
import type { VariantKey } from "../Broadcast.ts"
import type { BroadcastId } from "../Ids.ts"

/** What of a contact says when it is due. */
export type Clocked = Pick<Contact, "phone" | "timezone">

/** How many messages of earlier broadcasts one contact gets in so many days at most. */
export interface PlannedCap {
  readonly max: number
  readonly days: number
  /** The broadcasts whose messages count. */
  readonly of: ReadonlyArray<BroadcastId>
  /** Whether marketing that automations and workflows have sent counts, too. */
  readonly automated: boolean
}

/** One of several messages, and who lacks what it is made of. */
export interface PlannedVariant {
  readonly key: VariantKey
  /** In percent. */
  readonly weight: number
  readonly lacking: Filter
}

/** When contacts are due: all at once (`null`), or each by its own clock. */
export interface PlannedTimes {
  readonly dueAt: (contact: Clocked) => DateTime.Utc
  /** Whether a contact gets nothing whose time was over at the start. */
  readonly skips: (due: DateTime.Utc) => boolean
}

/** Everything that decides who of an audience gets a broadcast, and what. */
export interface AudiencePlan {
  /** The broadcast, whose own recipients count for no cap; `null` where there is none yet. */
  readonly broadcastId: BroadcastId | null
  readonly audience: Filter
  readonly exclude: Filter
  /** What people are reached by over the account. */
  readonly reaches: ReadonlyArray<Recipient["kind"]>
  readonly isMarketing: boolean
  /** Who lacks what the message is made of; where there are variants, whoever lacks it for any of them is told apart by `variants`. */
  readonly lacking: Filter
  /** Empty where there is one message for all. */
  readonly variants: ReadonlyArray<PlannedVariant>
  /** The broadcast that is tried again: whoever was drawn a variant by it keeps it. `null` where none is. */
  readonly keepsVariantsOf: BroadcastId | null
  readonly caps: ReadonlyArray<PlannedCap>
  readonly splitKey: string
  /** In percent. */
  readonly holdOut: number
  readonly startsAt: DateTime.Utc
  readonly times: PlannedTimes | null
}
