import { DateTime } from "effect"

/** What a record says of its age. */
interface Dated {
  readonly updatedAt: DateTime.Utc
}

/**
 * Whether a record takes the place of the one that is kept. An older one never does. One of the same time does: shops count whole seconds,
 * and changes share them.
 */
export const supersedes = (record: Dated, kept: Dated | null): boolean =>
  kept === null || DateTime.isGreaterThanOrEqualTo(record.updatedAt, kept.updatedAt)
