import { DateTime, Effect } from "effect"
import type { Contact } from "../../crm/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import { planCaps } from "../audience/planAudience.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { zoneNamed } from "../sending/Surroundings.ts"
import { StoredBroadcastSettings } from "../StoredBroadcastSettings.ts"
import { contactZones, quietEndsAt } from "../timing/index.ts"

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
