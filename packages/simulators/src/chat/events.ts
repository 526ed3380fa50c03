import type { Timeline } from "../Timeline.ts"
import type { Outbox } from "./Outbox.ts"
import type { SimulatedNumber } from "./Options.ts"
import type { World } from "./World.ts"
import type { AccountState, Restriction } from "./world/AccountState.ts"

/** Partner events: the entry id is the portfolio of the partner, not the account. */
export const partnerEvents = [
  "PARTNER_ADDED",
  "PARTNER_REMOVED",
  "PARTNER_APP_INSTALLED",
  "PARTNER_APP_UNINSTALLED",
  "MM_LITE_TERMS_SIGNED",
  "AD_ACCOUNT_LINKED"
] as const
export type PartnerEvent = (typeof partnerEvents)[number]

export interface Disconnection {
  readonly reason: string
  readonly initiatedBy: "SYSTEM" | "USER"
}

const nameStatusOf = {
  APPROVED: "APPROVED",
  DEFERRED: "PENDING_REVIEW",
  PENDING: "PENDING_REVIEW",
  REJECTED: "DECLINED"
} as const

const monthDay = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" })

/** Reports changes of accounts and numbers, and stores their state. */
export const makeEvents = (world: World, timeline: Timeline, outbox: Outbox) => {
  const tell = (businessId: string, field: string, value: object) => outbox.tell({ businessId, field, value })

  const partner = (event: PartnerEvent, account: AccountState, disconnection?: Disconnection) =>
    outbox.tell({
      businessId: world.partnerId,
      accountId: null,
      field: "account_update",
      value: {
        event,
        waba_info: {
          waba_id: account.id,
          owner_business_id: account.ownerId,
          ...(event.startsWith("PARTNER_APP_") ? { partner_app_id: world.app.appId } : {})
        },
        ...(disconnection === undefined
          ? {}
          : { disconnection_info: { reason: disconnection.reason, initiated_by: disconnection.initiatedBy } })
      }
    })

  return {
    partner,
    /** The shape of the coexistence guide: the entry id is the account. */
    coexistenceRemoved: (number: SimulatedNumber) =>
      tell(number.businessId, "account_update", { phone_number: number.displayPhone, event: "PARTNER_REMOVED" }),
    accountUpdate: (account: AccountState, value: object) => tell(account.id, "account_update", value),
    ban: (account: AccountState, state: "DISABLE" | "REINSTATE" | "SCHEDULE_FOR_DISABLE") => {
      account.banState = state === "REINSTATE" ? null : state
      tell(account.id, "account_update", {
        event: "DISABLED_UPDATE",
        ban_info: { waba_ban_state: state, waba_ban_date: monthDay.format(timeline.now()) }
      })
    },
    restrict: (account: AccountState, restrictions: ReadonlyArray<Restriction>) => {
      account.restrictions = restrictions
      tell(account.id, "account_update", {
        event: "ACCOUNT_RESTRICTION",
        restriction_info: restrictions.map(({ expiration, type }) => ({
          restriction_type: type,
          ...(expiration === null ? {} : { expiration })
        }))
      })
    },
    review: (account: AccountState, decision: "APPROVED" | "REJECTED" | "PENDING" | "DEFERRED") => {
      if (decision !== "DEFERRED") account.reviewStatus = decision
      tell(account.id, "account_review_update", { decision })
    },
    capability: (account: AccountState, limit: string) => {
      account.messagingLimit = limit
      tell(account.id, "business_capability_update", {
        max_daily_conversations_per_business: limit,
        ...(limit === "TIER_250" ? { max_phone_numbers_per_business: 2 } : { max_phone_numbers_per_waba: 25 })
      })
    },
    qualityUpdate: (number: SimulatedNumber, event: string) => {
      const state = world.stateOf(number)
      if (event === "THROUGHPUT_UPGRADE") state.throughput = "HIGH"
      if (event === "FLAGGED") state.status = "FLAGGED"
      tell(number.businessId, "phone_number_quality_update", {
        display_phone_number: number.displayPhone,
        event,
        max_daily_conversations_per_business: world.accountOf(number.businessId, false).messagingLimit
      })
    },
    nameUpdate: (
      number: SimulatedNumber,
      decision: "APPROVED" | "DEFERRED" | "PENDING" | "REJECTED",
      rejectionReason: string | null
    ) => {
      const state = world.stateOf(number)
      const name = state.newName ?? state.verifiedName
      if (state.newName === null) state.nameStatus = nameStatusOf[decision]
      else state.newNameStatus = nameStatusOf[decision]
      tell(number.businessId, "phone_number_name_update", {
        display_phone_number: number.displayPhone,
        decision,
        requested_verified_name: name,
        rejection_reason: rejectionReason
      })
    },
    security: (number: SimulatedNumber, event: "PIN_CHANGED" | "PIN_RESET_REQUEST" | "PIN_REQUEST_SUCCESS") =>
      tell(number.businessId, "security", {
        display_phone_number: number.displayPhone,
        event,
        requester: world.partnerId
      }),
    username: (number: SimulatedNumber, username: string, status: "approved" | "reserved" | "deleted") => {
      const state = world.stateOf(number)
      if (status === "deleted") state.username = null
      if (status === "approved") state.username = username
      tell(number.businessId, "business_username_update", {
        display_phone_number: number.displayPhone,
        username,
        status
      })
    }
  }
}
export type Events = ReturnType<typeof makeEvents>
