import { DateTime, Effect } from "effect"
import { type Contact, type ContactId, sameIdentity } from "../../crm/index.ts"
import { fillTemplate, type TemplateFilling } from "../../messaging/chat/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { StoredBroadcastSettings } from "../BroadcastSettings.ts"
import { type Candidate, RecipientLedger, type SentValues } from "../RecipientLedger.ts"
import type { ExclusionReason } from "../RecipientStatus.ts"
import { planCaps } from "../audience/planAudience.ts"
import { commonWindowOpensAt, quietEndsAt } from "../timing/quietHours.ts"
import { contactZones } from "../timing/timeZones.ts"
import { type Surroundings, zoneNamed } from "./Surroundings.ts"

/** Why a recipient is put off. */
export type Wait = "quiet_hours" | "window"

/** What is to become of a candidate right now. */
export type Decision =
  | { readonly kind: "exclude"; readonly reason: ExclusionReason }
  | { readonly kind: "postpone"; readonly wait: Wait; readonly until: DateTime.Utc }
  | { readonly kind: "send"; readonly values: SentValues; readonly filling: TemplateFilling }

/** Marketing to numbers that begin so is not taken by the provider. */
const closedToMarketing = "+1"

/** Computes the wait for the local time of recipients. Recipients with equal zones share the result, because it is the most expensive part. */
const makeWaits = (broadcast: Broadcast, { isMarketing, settings, zone }: Surroundings, now: DateTime.Utc) => {
  const quiet = isMarketing && !broadcast.ignoreQuietHours ? settings.quietHours : null
  const { schedule } = broadcast
  const window = schedule?.zone === "contact" ? (schedule.window ?? null) : null
  const known = new Map<string, Decision | null>()
  const waitIn = (names: ReadonlyArray<string>): Decision | null => {
    const zones = names.map(zoneNamed)
    const until = quiet === null ? null : quietEndsAt(quiet, zones, now)
    if (until !== null) return { kind: "postpone", wait: "quiet_hours", until }
    const opensAt = window === null ? now : commonWindowOpensAt(window, zones, zoneNamed(zone), now)
    return DateTime.isGreaterThan(opensAt, now) ? { kind: "postpone", wait: "window", until: opensAt } : null
  }
  return ({ address }: Candidate, { timezone }: Contact): Decision | null => {
    // An unnecessary parse of a number costs more than all other decisions.
    if (quiet === null && window === null) return null
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

const withFile = (filling: TemplateFilling, { files }: Surroundings): TemplateFilling => {
  const { header } = filling
  const file = header.kind === "media" ? files.get(header.mediaId) : undefined
  return header.kind === "media" && file !== undefined ? { ...filling, header: { ...header, ...file } } : filling
}

const decide = (
  candidate: Candidate,
  contact: Contact | undefined,
  enough: ReadonlySet<ContactId>,
  surroundings: Surroundings,
  waitOf: ReturnType<typeof makeWaits>
): Decision => {
  const { address, isSecond, variant } = candidate
  const exclude = (reason: ExclusionReason): Decision => ({ kind: "exclude", reason })
  if (contact === undefined) return exclude("contact_gone")
  if (address === null || !contact.identities.some((identity) => sameIdentity(identity, address))) {
    return exclude("no_identity")
  }
  const { isMarketing, messages } = surroundings
  if (isMarketing && contact.consent.marketing !== "subscribed") return exclude("not_subscribed")
  if (contact.blockedAt !== null) return exclude("blocked")
  if (isMarketing && address.kind === "phone" && address.value.startsWith(closedToMarketing)) {
    return exclude("region_blocked")
  }
  if (isSecond) return exclude("duplicate")
  const message = messages.get(variant)
  const rendered = message?.render(contact)
  if (message === undefined || rendered === undefined || rendered.values === null) return exclude("missing_variable")
  const { values } = rendered
  const filling = fillTemplate(message.template, values, "")
  // The values fit one by one; the template may have changed since they were given.
  if (Array.isArray(filling)) return exclude("missing_variable")
  if (enough.has(contact.id)) return exclude("frequency_cap")
  return (
    waitOf(candidate, contact) ?? {
      kind: "send",
      values,
      filling: withFile(filling as TemplateFilling, surroundings)
    }
  )
}

/**
 * Decides whether claimed recipients are sent to now. The first of several reasons against it counts. `enough` are contacts that have reached a
 * frequency cap.
 */
export const makeDecide = (broadcast: Broadcast, surroundings: Surroundings, now: DateTime.Utc) => {
  const waitOf = makeWaits(broadcast, surroundings, now)
  return (candidate: Candidate, contact: Contact | undefined, enough: ReadonlySet<ContactId>): Decision =>
    decide(candidate, contact, enough, surroundings, waitOf)
}

/** Whether a contact may be sent marketing now, as the settings of broadcasts say. */
export type MarketingRoom =
  | { readonly kind: "free" }
  | { readonly kind: "not_subscribed" }
  | { readonly kind: "frequency_cap" }
  | { readonly kind: "quiet"; readonly until: DateTime.Utc }

/** Whoever has written so lately is in a conversation, which no cap and no quiet hours interrupt. */
const talkingHours = 1

/** Whether a contact, who is locked, may be sent marketing outside of broadcasts now. */
export const marketingRoom = Effect.fnUntraced(function* (
  contact: Contact
): Effect.fn.Return<
  MarketingRoom,
  never,
  | Effect.Services<ReturnType<typeof planCaps | RecipientLedger["Service"]["capped"]>>
  | RecipientLedger
  | StoredBroadcastSettings
  | Organizations
> {
  const { consent, id, lastInboundAt, phone, timezone } = contact
  if (consent.marketing !== "subscribed") return { kind: "not_subscribed" }
  const now = yield* DateTime.now
  const isTalking =
    lastInboundAt !== null && DateTime.isGreaterThan(lastInboundAt, DateTime.subtract(now, { hours: talkingHours }))
  if (isTalking) return { kind: "free" }
  const { frequencyCaps, quietHours } = yield* (yield* StoredBroadcastSettings).get()
  const caps = yield* planCaps(true, now, null, frequencyCaps)
  const enough = yield* (yield* RecipientLedger).capped([id], caps, now)
  if (enough.has(id)) return { kind: "frequency_cap" }
  if (quietHours === null) return { kind: "free" }
  const { timezone: zone } = yield* (yield* Organizations).current()
  const until = quietEndsAt(quietHours, contactZones({ timezone, phone }, zone).map(zoneNamed), now)
  return until === null ? { kind: "free" } : { kind: "quiet", until }
})
