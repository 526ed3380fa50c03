import { DateTime } from "effect"
import type { MessageTemplate } from "../MessageTemplate.ts"

/** The provider allows one edit of an approved template per day, and ten in 30 days. */
const limits = [
  { count: 1, window: { days: 1 } },
  { count: 10, window: { days: 30 } }
] as const

const isWithin = (now: DateTime.Utc, window: { readonly days: number }) => (time: DateTime.Utc) =>
  DateTime.isGreaterThan(DateTime.addDuration(time, { days: window.days }), now)

/** Returns when the provider allows the next edit; `null` if it allows one now. */
export const nextEditAt = ({ editTimes, status }: MessageTemplate, now: DateTime.Utc): DateTime.Utc | null => {
  if (status !== "approved") return null
  const waits = limits.flatMap(({ count, window }) => {
    const recent = editTimes.filter(isWithin(now, window)).toSorted(DateTime.Order)
    const blocking = recent.at(-count)
    return blocking === undefined ? [] : [DateTime.addDuration(blocking, { days: window.days })]
  })
  return waits.toSorted(DateTime.Order).at(-1) ?? null
}

/** Records an edit. Older edits no longer count. */
export const withEdit = ({ editTimes, status }: MessageTemplate, now: DateTime.Utc): ReadonlyArray<DateTime.Utc> => [
  ...editTimes.filter(isWithin(now, { days: 30 })),
  ...(status === "approved" ? [now] : [])
]
