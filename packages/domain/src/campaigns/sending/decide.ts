import { DateTime, Effect } from "effect"
import { type Contact, type ContactId, isSameIdentity } from "../../crm/index.ts"
import {
  fillTemplate,
  type FilledTemplate,
  validateOfferExpiry,
  withTemplateFiles
} from "../../messaging/chat/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { StoredBroadcastSettings } from "../BroadcastSettings.ts"
import { type Candidate, RecipientLedger, type SentValues } from "../RecipientLedger.ts"
import type { ExclusionReason } from "../RecipientStatus.ts"
import { frequencyCapPlan } from "../audience/planAudience.ts"
import { commonWindowOpensAt, quietEndsAt } from "../timing/quietHours.ts"
import { contactDueAt } from "../timing/Schedule.ts"
import { contactZones } from "../timing/timeZones.ts"
import { type SendContext, toTimeZone } from "./SendContext.ts"

/** Reason for a delayed recipient. */
export type PostponeReason = "local_time" | "quiet_hours" | "window"

/** Decision about a candidate now. */
export type RecipientDecision =
  | { readonly kind: "exclude"; readonly reason: ExclusionReason }
  | { readonly kind: "postpone"; readonly wait: PostponeReason; readonly until: DateTime.Utc }
  | { readonly kind: "send"; readonly values: SentValues; readonly filling: FilledTemplate }

/** The provider rejects marketing to numbers with this prefix. */
const marketingBlockedPrefix = "+1"

/** Computes the wait for the local time of recipients. Recipients with equal zones share the result, because it is the most expensive part. */
const makeWaitResolver = (broadcast: Broadcast, { isMarketing, settings, zone }: SendContext, now: DateTime.Utc) => {
  const quiet = isMarketing && !broadcast.ignoreQuietHours ? settings.quietHours : null
  const { schedule } = broadcast
  const window = schedule?.zone === "contact" ? (schedule.window ?? null) : null
  const localStart = schedule?.zone === "contact" && schedule.localAt !== undefined ? schedule : null
  const known = new Map<string, RecipientDecision | null>()
  const waitIn = (names: ReadonlyArray<string>): RecipientDecision | null => {
    const zones = names.map(toTimeZone)
    // The time zone of the contact can have changed since the audience was listed.
    const startsAt = localStart === null ? null : contactDueAt(localStart, zones, toTimeZone(zone))
    if (startsAt !== null && DateTime.isGreaterThan(startsAt, now)) {
      return { kind: "postpone", wait: "local_time", until: startsAt }
    }
    const until = quiet === null ? null : quietEndsAt(quiet, zones, now)
    if (until !== null) return { kind: "postpone", wait: "quiet_hours", until }
    const opensAt = window === null ? now : commonWindowOpensAt(window, zones, toTimeZone(zone), now)
    return DateTime.isGreaterThan(opensAt, now) ? { kind: "postpone", wait: "window", until: opensAt } : null
  }
  return ({ address }: Candidate, { timezone }: Contact): RecipientDecision | null => {
    // An unnecessary parse of a number costs more than all other decisions.
    if (quiet === null && window === null && localStart === null) return null
    const phone = address?.kind === "phone" ? address.value : null
    const names = contactZones({ timezone, phone }, zone)
    const key = names.join(" ")
    const before = known.get(key)
    if (before !== undefined) return before
    const wait = waitIn(names)
    known.set(key, wait)
    return wait
  }
}

const withProviderFiles = (filling: FilledTemplate, { files }: SendContext): FilledTemplate =>
  files.size === 0 ? filling : withTemplateFiles(filling, (mediaId) => files.get(mediaId))

const decide = (
  candidate: Candidate,
  contact: Contact | undefined,
  cappedContactIds: ReadonlySet<ContactId>,
  context: SendContext,
  now: DateTime.Utc,
  waitOf: ReturnType<typeof makeWaitResolver>
): RecipientDecision => {
  const { address, isSecond, variant } = candidate
  const exclude = (reason: ExclusionReason): RecipientDecision => ({ kind: "exclude", reason })
  if (contact === undefined) return exclude("contact_gone")
  const known = address === null ? undefined : contact.identities.find((identity) => isSameIdentity(identity, address))
  if (address === null || known === undefined || known.formerSince !== undefined) {
    return exclude("no_identity")
  }
  const { isMarketing, messages } = context
  if (isMarketing && contact.consent.marketing !== "subscribed") return exclude("not_subscribed")
  if (contact.blockedAt !== null) return exclude("blocked")
  if (isMarketing && address.kind === "phone" && address.value.startsWith(marketingBlockedPrefix)) {
    return exclude("region_blocked")
  }
  if (isSecond) return exclude("duplicate")
  const message = messages.get(variant)
  const rendered = message?.render(contact)
  if (message === undefined || rendered === undefined || rendered.values === null) return exclude("missing_variable")
  const { values } = rendered
  const filling = fillTemplate(message.template, values, "")
  // Each value was valid alone, but the template can have changed since.
  if (Array.isArray(filling) || validateOfferExpiry(values, "", now).length > 0) return exclude("missing_variable")
  if (cappedContactIds.has(contact.id)) return exclude("frequency_cap")
  return (
    waitOf(candidate, contact) ?? {
      kind: "send",
      values,
      filling: withProviderFiles(filling as FilledTemplate, context)
    }
  )
}

/**
 * Creates the decision function for claimed recipients. The first of several exclusion reasons applies. `cappedContactIds` contains the contacts that
 * reached a frequency cap.
 */
export const makeDecider = (broadcast: Broadcast, context: SendContext, now: DateTime.Utc) => {
  const waitOf = makeWaitResolver(broadcast, context, now)
  return (
    candidate: Candidate,
    contact: Contact | undefined,
    cappedContactIds: ReadonlySet<ContactId>
  ): RecipientDecision => decide(candidate, contact, cappedContactIds, context, now, waitOf)
}

/** Whether the broadcast settings allow marketing to a contact now. */
export type MarketingAllowance =
  | { readonly kind: "free" }
  | { readonly kind: "not_subscribed" }
  | { readonly kind: "frequency_cap" }
  | { readonly kind: "quiet"; readonly until: DateTime.Utc }

/** A contact that wrote within this time is in a conversation. Caps and quiet hours do not apply to it. */
const activeConversationHours = 1

/** Checks whether a locked contact can get marketing outside of broadcasts now. */
export const marketingAllowance = Effect.fnUntraced(function* (
  contact: Contact
): Effect.fn.Return<
  MarketingAllowance,
  never,
  | Effect.Services<ReturnType<typeof frequencyCapPlan | RecipientLedger["Service"]["capped"]>>
  | RecipientLedger
  | StoredBroadcastSettings
  | Organizations
> {
  const { consent, id, lastInboundAt, phone, timezone } = contact
  if (consent.marketing !== "subscribed") return { kind: "not_subscribed" }
  const now = yield* DateTime.now
  const isTalking =
    lastInboundAt !== null &&
    DateTime.isGreaterThan(lastInboundAt, DateTime.subtract(now, { hours: activeConversationHours }))
  if (isTalking) return { kind: "free" }
  const { frequencyCaps, quietHours } = yield* (yield* StoredBroadcastSettings).get()
  const caps = yield* frequencyCapPlan(true, now, null, frequencyCaps)
  const cappedContactIds = yield* (yield* RecipientLedger).capped([id], caps, now)
  if (cappedContactIds.has(id)) return { kind: "frequency_cap" }
  if (quietHours === null) return { kind: "free" }
  const { timezone: zone } = yield* (yield* Organizations).current()
  const until = quietEndsAt(quietHours, contactZones({ timezone, phone }, zone).map(toTimeZone), now)
  return until === null ? { kind: "free" } : { kind: "quiet", until }
})
