import type { AutomationTokenId, OrganizationId } from "@parley/domain/kernel"
import { DateTime, Duration } from "effect"

const interval = Duration.minutes(1)
const capacity = 10_000

/** Stores when this node last recorded the use of each token, so a busy token costs no query per call. */
export const makeTouches = () => {
  const noted = new Map<string, number>()

  const remember = (key: string, at: number) => {
    noted.delete(key)
    noted.set(key, at)
    const oldest = noted.size > capacity ? noted.keys().next() : null
    if (oldest?.done === false) noted.delete(oldest.value)
  }

  return {
    /** Uses before this instant are recorded again. */
    before: (now: DateTime.Utc) => DateTime.subtractDuration(now, interval),
    /** Whether the use must be recorded now; if so, it counts as recorded. */
    isDue: (organizationId: OrganizationId, id: AutomationTokenId, now: DateTime.Utc) => {
      const key = `${organizationId}/${id}`
      const at = DateTime.toEpochMillis(now)
      const last = noted.get(key)
      if (last !== undefined && at - last < Duration.toMillis(interval)) return false
      remember(key, at)
      return true
    }
  }
}
