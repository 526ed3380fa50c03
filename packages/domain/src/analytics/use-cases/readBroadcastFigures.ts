import { DateTime, Effect } from "effect"
import { noCredit } from "../../campaigns/index.ts"
import { paged, type PageRequest, useCase, addDays, startOfDay } from "../../kernel/index.ts"
import type { BroadcastFigures } from "../answers/BroadcastFigures.ts"
import { readCredits } from "../reading/credits.ts"
import { rangeOf, type RangeRequest } from "../reading/rangeOf.ts"
import { type OpenBooks, reading } from "../reading/reading.ts"
import { rateOf } from "../rounding.ts"
import { StartedBroadcasts } from "../StartedBroadcasts.ts"

const count = Effect.fnUntraced(function* (request: RangeRequest, page: PageRequest, books: OpenBooks) {
  const { asOf, edition, state, timezone, zone } = books
  const { from, to } = yield* rangeOf(request, books)
  const broadcasts = yield* StartedBroadcasts
  const { data, nextCursor } = yield* paged(
    "analytics/broadcasts",
    page,
    (slice) => broadcasts.list(startOfDay(from, zone), startOfDay(addDays(to, 1), zone), slice),
    ({ id, startedAt }) => [String(DateTime.toEpochMillis(startedAt)), id]
  )
  const credits = yield* readCredits(
    edition,
    data.map(({ id }) => id)
  )
  const figures: BroadcastFigures = {
    timezone,
    from,
    to,
    asOf,
    state,
    data: data.map((row) => ({
      ...row,
      deliveredRate: rateOf(row.delivered, row.sent),
      readRate: rateOf(row.read, row.delivered),
      repliedRate: rateOf(row.replied, row.delivered),
      ...(credits.get(row.id) ?? noCredit)
    })),
    nextCursor
  }
  return figures
})

/** Reads what came of the broadcasts that started in a range, newest first. */
export const readBroadcastFigures = useCase(
  "analytics.broadcasts",
  { access: { permission: "analytics.read" } },
  (request: RangeRequest, page: PageRequest) => reading((books) => count(request, page, books))
)
