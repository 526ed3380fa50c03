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

const tierOf = (limit: number) => (limit < 1_000 ? `TIER_${limit}` : `TIER_${limit / 1_000}K`)

const monthDay = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" })

/** Reports changes of accounts and numbers, and stores their state. */
export const makeEvents = (world: World, timeline: Timeline, outbox: Outbox) => {
  const tell = (businessId: string, field: string, value: object) => outbox.tell({ businessId, field, value })

  const partnerDetails = (event: PartnerEvent) => {
    if (event.startsWith("PARTNER_APP_")) return { partner_app_id: world.app.appId }
    if (event === "AD_ACCOUNT_LINKED") return { ad_account_linked: "4052175343162067" }
    return event === "PARTNER_ADDED"
      ? { solution_id: "774485461512159", solution_partner_business_ids: [world.partnerId] }
      : {}
  }

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
          ...partnerDetails(event)
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
    restrict: (
      account: AccountState,
      restrictions: ReadonlyArray<Restriction>,
      details: { readonly phoneNumber?: string; readonly violation?: string } = {}
    ) => {
      account.restrictions = restrictions
      tell(account.id, "account_update", {
        event: "ACCOUNT_RESTRICTION",
        ...(details.phoneNumber === undefined ? {} : { phone_number: details.phoneNumber }),
        restriction_info: restrictions.map(({ expiration, remediation, type }) => ({
          restriction_type: type,
          ...(expiration === null ? {} : { expiration }),
          ...(remediation === undefined ? {} : { remediation })
        })),
        ...(details.violation === undefined ? {} : { violation_info: { violation_type: details.violation } })
      })
    },
    review: (account: AccountState, decision: "APPROVED" | "REJECTED" | "PENDING" | "DEFERRED") => {
      if (decision !== "DEFERRED") account.reviewStatus = decision
      tell(account.id, "account_review_update", { decision })
    },
    /** The limit comes as a number or as a tier. */
    capability: (account: AccountState, limit: string | number) => {
      account.messagingLimit = typeof limit === "number" ? tierOf(limit) : limit
      tell(account.id, "business_capability_update", {
        max_daily_conversations_per_business: limit,
        ...(limit === 250 || limit === "TIER_250"
          ? { max_phone_numbers_per_business: 2 }
          : { max_phone_numbers_per_waba: 25 })
      })
    },
    qualityUpdate: (number: SimulatedNumber, event: string) => {
      const state = world.stateOf(number)
      if (event === "THROUGHPUT_UPGRADE") state.throughput = "HIGH"
      if (event === "FLAGGED") state.status = "FLAGGED"
      tell(number.businessId, "phone_number_quality_update", {
        display_phone_number: number.displayPhone,
        event,
        // The throughput, not the messaging limit.
        ...(event === "THROUGHPUT_UPGRADE" ? { current_limit: "TIER_UNLIMITED" } : {}),
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
        ...(event === "PIN_REQUEST_SUCCESS" ? {} : { requester: "61555822107539" })
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
