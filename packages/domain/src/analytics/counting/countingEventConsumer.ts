import { Effect } from "effect"
import { defineEventConsumer } from "../../platform/events/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import { RollupStore } from "../RollupStore.ts"
import { rebucketDays, rollupAttributionHours, loadAttributionHours } from "./addCounts.ts"
import { countEvents } from "./countEvents.ts"
import { recountOrders } from "./countOrders.ts"
import { takeCountBatch, ConsumedEvents } from "./eventCounts.ts"
import { rebucketActivity } from "./contactActivity.ts"

/** Types of events that are counted or that refer to counted records. */
export const countedEvents = [
  "message.received",
  "message.echoed",
  "message.queued",
  "message.status_changed",
  "message.updated",
  "conversation.opened",
  "conversation.status_changed",
  "conversation.updated",
  "contact.created",
  "contacts.changed",
  "contacts.imported",
  "contact.consent_changed",
  "contact.merged",
  "contact.unmerged",
  "broadcast.status_changed",
  "broadcast.progressed",
  "broadcast.replied",
  "orders.stored",
  "customer.linked",
  "customer.unlinked"
] as const

/**
 * Counts events. After a change of the organization's zone, it recalculates the local days. After a change of the attribution hours, it recalculates
 * the attribution.
 */
export const countingEventConsumer = defineEventConsumer({
  name: "analytics.count",
  schema: ConsumedEvents,
  events: [...countedEvents, "organization.updated", "broadcast_settings.updated"],
  beginsWith: "first_event",
  batch: 500,
  handle: Effect.fnUntraced(function* (logged) {
    const events = takeCountBatch(logged, 0)
    const rollups = yield* RollupStore
    const { timezone } = yield* (yield* Organizations).current()
    const state = yield* rollups.lock(timezone)
    const { version: currentVersion, recount } = state
    const versions = [currentVersion, ...(recount === null ? [] : [recount.version])]
    const counting = {
      version: currentVersion,
      currentVersion,
      timezone: state.timezone,
      attributionHours: yield* rollupAttributionHours(state)
    }
    yield* countEvents({ ...counting, counted: state.position, ordersCounted: 0 }, events)
    const attributionHours = yield* loadAttributionHours
    if (attributionHours !== counting.attributionHours) {
      for (const version of versions) yield* recountOrders(version, currentVersion, state.timezone, attributionHours)
    }
    if (timezone !== state.timezone) {
      for (const version of versions) {
        yield* rebucketActivity(version, state.timezone, timezone)
        yield* rebucketDays(version, timezone)
      }
    }
    const position = Math.max(state.position, events.at(-1)?.position ?? 0)
    yield* rollups.save({ ...state, timezone, attributionHours, position })
    return events.length === logged.length ? "done" : { upTo: events.at(-1)?.position ?? position }
  })
})

export const analyticsEventConsumers = [countingEventConsumer] as const
