import { DateTime, Effect } from "effect"
import type { Broadcast } from "../Broadcast.ts"
import { BroadcastAttribution, noCredit } from "../BroadcastAttribution.ts"
import { BroadcastBuyers } from "../BroadcastBuyers.ts"
import { ButtonTaps } from "../ButtonTaps.ts"
import { RecipientList } from "../RecipientList.ts"
import { expiryOf } from "../recipients/requireRecipients.ts"
import { hasEnded } from "../transitions.ts"
import type { BroadcastReport } from "./BroadcastReport.ts"
import { reportOf } from "./reportOf.ts"
import { upliftsOf } from "./upliftsOf.ts"

/** Orders are looked for only where somebody is held out to compare with, and once all have had their turn. */
const readBuyers = Effect.fnUntraced(function* ({ holdOut, id, status, upliftDays }: Broadcast) {
  const buyers = yield* BroadcastBuyers
  if (holdOut === 0 || !(yield* buyers.areKnown())) return null
  return hasEnded(status) ? yield* buyers.count(id, upliftDays) : []
})

/** Counts what has come of a broadcast: as it is now, or as it was when its recipients were to go. */
export const countReport = Effect.fnUntraced(function* (broadcast: Broadcast) {
  const tallies = yield* (yield* RecipientList).tally(broadcast.id)
  const taps = yield* (yield* ButtonTaps).tally(broadcast.id)
  const credits = yield* (yield* BroadcastAttribution).read(broadcast.id)
  const asOf = (yield* expiryOf(broadcast)) ?? (yield* DateTime.now)
  const upliftFor = upliftsOf(broadcast, yield* readBuyers(broadcast), asOf)
  return {
    broadcastId: broadcast.id,
    asOf,
    ...reportOf(tallies, taps),
    ...credits.total,
    variants:
      broadcast.variants?.map(({ key }) => ({
        key,
        ...reportOf(
          tallies.filter(({ variant }) => variant === key),
          taps.filter(({ variant }) => variant === key)
        ),
        ...(credits.byVariant.get(key) ?? noCredit),
        ...upliftFor(key)
      })) ?? null,
    clicks: null,
    ...upliftFor(null)
  } satisfies BroadcastReport
})
