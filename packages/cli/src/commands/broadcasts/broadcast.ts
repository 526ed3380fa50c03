import { Broadcast, BroadcastId } from "@parley/domain/campaigns"
import { DateTime } from "effect"
import { Argument } from "effect/cli"
import type { View } from "../../console/print.ts"
import { typedArgument } from "../../console/typed.ts"

export const broadcast = typedArgument("broadcast", BroadcastId).pipe(Argument.withDescription("Id of the broadcast"))

const at = (time: DateTime.Utc | null) => (time === null ? "" : DateTime.formatIso(time))

/** Returns the number of messages that the provider has accepted, including delivered and read ones. */
export const takenOf = ({ delivered, read, sent }: Broadcast["stats"]) => sent + delivered + read

export const listView: View<Broadcast> = {
  schema: Broadcast,
  none: "No matching broadcast was found.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "NAME", of: ({ name }) => name },
    { heading: "STATUS", of: ({ status }) => status },
    { heading: "MATCHED", of: ({ stats }) => String(stats.matched), align: "right" },
    { heading: "SENT", of: ({ stats }) => String(takenOf(stats)), align: "right" },
    { heading: "DELIVERED", of: ({ stats }) => String(stats.delivered + stats.read), align: "right" },
    { heading: "READ", of: ({ stats }) => String(stats.read), align: "right" },
    { heading: "FAILED", of: ({ stats }) => String(stats.failed), align: "right" },
    { heading: "IN DOUBT", of: ({ stats }) => String(stats.inDoubt), align: "right" },
    { heading: "CREATED", of: ({ createdAt }) => at(createdAt) }
  ]
}

/** Returns the reason of the status: the failure, the end, the pause, or the wait. */
export const reasonOf = ({ endReason, failure, pause, waiting }: Broadcast) => {
  if (failure !== null) return failure.detail
  if (endReason !== null) return endReason
  if (pause !== null) return `${pause.reason}, since ${at(pause.at)}`
  if (waiting === null) return ""
  return waiting.until === null ? waiting.reason : `${waiting.reason}, until ${at(waiting.until)}`
}

export const view: View<Broadcast> = {
  schema: Broadcast,
  none: "There is no broadcast.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "NAME", of: ({ name }) => name },
    { heading: "STATUS", of: ({ status }) => status },
    { heading: "REASON", of: reasonOf },
    { heading: "CHAT ACCOUNT", of: ({ chatAccountId }) => chatAccountId ?? "" },
    {
      heading: "TEMPLATE",
      of: ({ templateId, variants }) => templateId ?? variants?.map((variant) => variant.templateId).join(" ") ?? ""
    },
    { heading: "MATCHED", of: ({ stats }) => String(stats.matched) },
    { heading: "PENDING", of: ({ stats }) => String(stats.pending) },
    { heading: "IN FLIGHT", of: ({ stats }) => String(stats.inFlight) },
    { heading: "SENT", of: ({ stats }) => String(takenOf(stats)) },
    { heading: "DELIVERED", of: ({ stats }) => String(stats.delivered + stats.read) },
    { heading: "READ", of: ({ stats }) => String(stats.read) },
    { heading: "FAILED", of: ({ stats }) => String(stats.failed) },
    { heading: "IN DOUBT", of: ({ stats }) => String(stats.inDoubt) },
    { heading: "EXCLUDED", of: ({ stats }) => String(stats.excluded) },
    { heading: "HELD OUT", of: ({ stats }) => String(stats.heldOut) },
    { heading: "NEVER SENT", of: ({ stats }) => String(stats.neverSent) },
    { heading: "CREATED", of: ({ createdAt }) => at(createdAt) },
    { heading: "STARTED", of: ({ startedAt }) => at(startedAt) },
    { heading: "ENDED", of: ({ endedAt }) => at(endedAt) }
  ]
}

/** Formats counts by a common property, one line of a card each: `EXCLUDED: blocked`. */
export const countsBy = (
  heading: string,
  counts: Readonly<Record<string, number | undefined>>
): ReadonlyArray<readonly [name: string, value: string]> =>
  Object.entries(counts)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([of, count = 0]) => (count === 0 ? [] : [[`${heading}: ${of}`, String(count)] as const]))
