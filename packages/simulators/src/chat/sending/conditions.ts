import type { Timeline } from "../../Timeline.ts"
import { type Refusal, refusal } from "../failures.ts"
import type { CheckedMessage, Known } from "../messages/Known.ts"
import type { ChatSimulatorOptions, SimulatedNumber } from "../Options.ts"
import type { Customer, World } from "../World.ts"
import { type AccountState, hasRestriction } from "../world/AccountState.ts"
import { isRegistered, type NumberStatus } from "../world/NumberState.ts"
import { countryCodeOf } from "./recipients.ts"

const day = 24 * 3_600_000
const syncMillis = 10 * 60_000

const limits: Readonly<Record<string, number>> = {
  TIER_50: 50,
  TIER_250: 250,
  TIER_1K: 1_000,
  TIER_2K: 2_000,
  TIER_10K: 10_000,
  TIER_100K: 100_000
}

/** Statuses of a number that is not connected. */
const idle: ReadonlySet<NumberStatus> = new Set<NumberStatus>(["PENDING", "UNVERIFIED", "DISCONNECTED", "MIGRATED"])

/** Conditions of an account, a number and a recipient under which messages are refused or fail. */
export const makeConditions = (world: World, timeline: Timeline, options: ChatSimulatorOptions) => {
  const isInWindow = (number: SimulatedNumber, customer: Customer) =>
    (customer.windows.get(number.phoneId) ?? 0) > timeline.now()

  const senderRefusal = (number: SimulatedNumber): Refusal | null => {
    const state = world.stateOf(number)
    const account = world.accountOf(number.businessId, false)
    if (account.banState === "DISABLE" || state.status === "BANNED") {
      return refusal(131_031, "The WhatsApp Business account is locked.")
    }
    if (state.status === "DELETED") return refusal(33, "The phone number is deleted.")
    if (!isRegistered(state) || idle.has(state.status)) return refusal(133_010, "The phone number is not registered.")
    if (
      number.displayPhone.startsWith("1555") &&
      (state.nameStatus === "DECLINED" || state.nameStatus === "PENDING_REVIEW")
    ) {
      return refusal(131_037, "The display name of the number must be approved first.")
    }
    return null
  }

  const isOverLimit = (account: AccountState, customer: Customer): boolean => {
    const limit = limits[account.messagingLimit]
    if (limit === undefined) return false
    const portfolio = [...world.accounts.values()].filter(({ ownerId }) => ownerId === account.ownerId)
    for (const { initiated } of portfolio) {
      for (const [user, at] of initiated) if (at <= timeline.now() - day) initiated.delete(user)
    }
    const users = new Set(portfolio.flatMap(({ initiated }) => [...initiated.keys()]))
    return !users.has(customer.userId) && users.size >= limit
  }

  const initiatedRefusal = (account: AccountState, customer: Customer): Refusal | null => {
    if (hasRestriction(account, "RESTRICTED_BIZ_INITIATED_MESSAGING", timeline.now())) {
      return refusal(368, "The account cannot start conversations at present.")
    }
    return isOverLimit(account, customer)
      ? refusal(131_048, "The messaging limit of the last 24 hours has been reached.")
      : null
  }

  const marketingRefusal = (account: AccountState, checked: CheckedMessage, api: Known["api"]): Refusal | null => {
    if (checked.template?.category !== "MARKETING") return null
    if (api === "cloud") {
      return account.isMarketingOnCloudApi
        ? null
        : refusal(131_063, "Marketing templates of the account are sent with the Marketing Messages API.")
    }
    if (account.marketingOnboarding !== "ONBOARDED") {
      return refusal(134_102, "The account is not onboarded for the Marketing Messages API.")
    }
    return timeline.now() - checked.template.createdAt < syncMillis
      ? refusal(134_101, "The template is still syncing. Try again in 10 minutes.")
      : null
  }

  /** Refusals in the answer. */
  const earlyRefusal = (
    number: SimulatedNumber,
    customer: Customer | undefined,
    checked: CheckedMessage,
    api: Known["api"]
  ): Refusal | null => {
    const account = world.accountOf(number.businessId, false)
    if (checked.to.kind === "group") {
      const group = world.groups.get(checked.to.groupId)
      if (group?.phoneId !== number.phoneId) return refusal(131_041, "The group does not exist.")
      if (group.isSuspended) return refusal(131_207, "The group violates the policies of the platform.")
      return group.participants.size === 0 ? refusal(131_020, "The group has one member.") : null
    }
    if (checked.to.kind === "user" && checked.template?.category === "AUTHENTICATION") {
      return refusal(131_062, "Authentication templates are sent to phone numbers only.")
    }
    if (checked.template === null) {
      return hasRestriction(account, "RESTRICTED_CUSTOMER_INITIATED_MESSAGING", timeline.now())
        ? refusal(368, "The account cannot answer customers at present.")
        : null
    }
    const outside = customer === undefined || isInWindow(number, customer) ? null : initiatedRefusal(account, customer)
    return outside ?? marketingRefusal(account, checked, api)
  }

  const isCapped = (customer: Customer): boolean => {
    const recent = customer.marketingTimes.filter((at) => at > timeline.now() - day)
    const isPausedCountry = options.pausesUsMarketing === true && customer.phone?.startsWith("1") === true
    return isPausedCountry || recent.length >= (options.marketingPerUser ?? Number.POSITIVE_INFINITY)
  }

  /** Failures that the provider reports after it accepted the message. */
  const lateRefusal = (
    number: SimulatedNumber,
    customer: Customer | undefined,
    { identityHash, template, to }: CheckedMessage
  ): Refusal | null => {
    if (to.kind === "group") return null
    if (customer?.reachable !== true) return refusal(131_026, "Message undeliverable.")
    if (template === null && !isInWindow(number, customer)) {
      return refusal(
        131_047,
        "Message failed to send because more than 24 hours have passed since the customer last replied to this number."
      )
    }
    if (identityHash !== null && identityHash !== customer.identityHash) {
      return refusal(137_000, "The identity of the recipient has changed.")
    }
    if (template !== null && !world.accountOf(number.businessId, false).hasPaymentMethod) {
      return refusal(131_042, "There is an error with the payment method.")
    }
    if (template?.category !== "MARKETING") return null
    if (customer.stopped.has(number.phoneId)) {
      return refusal(131_050, "This user has chosen to stop receiving marketing messages from your business.")
    }
    return isCapped(customer)
      ? refusal(131_049, "This message was not delivered to maintain healthy ecosystem engagement.")
      : null
  }

  return {
    isInWindow,
    senderRefusal,
    earlyRefusal,
    lateRefusal,
    isInternational: (number: SimulatedNumber, { phone }: Customer): boolean =>
      options.internationalAuthentication === true &&
      phone !== null &&
      countryCodeOf(phone) !== countryCodeOf(number.displayPhone),
    /** Counts a user outside of the window for the messaging limit. */
    countInitiated: (number: SimulatedNumber, customer: Customer, wasInWindow: boolean) => {
      if (wasInWindow) return
      world.accountOf(number.businessId, false).initiated.set(customer.userId, timeline.now())
    }
  }
}
export type Conditions = ReturnType<typeof makeConditions>
