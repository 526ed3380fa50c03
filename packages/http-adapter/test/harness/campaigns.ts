import {
  createBroadcast,
  type NewBroadcast,
  type Organization,
  pauseBroadcast,
  scheduleBroadcast,
  sendBroadcast
} from "@parley/domain"
import { DateTime, Effect } from "effect"
import { givenNumber, givenTemplate } from "./inbox.ts"
import { inside } from "./tenants.ts"

/** A draft of a broadcast that says nothing but its name, unless it is said otherwise. */
export const givenBroadcast = (organization: Pick<Organization, "id">, said: Partial<NewBroadcast> = {}) =>
  createBroadcast({ name: "Spring", ...said }).pipe(inside(organization), Effect.orDie)

/** A draft with everything that sending needs, to everybody, tomorrow. */
export const givenReadyBroadcast = Effect.fnUntraced(function* (
  organization: Organization,
  said: Partial<NewBroadcast> = {}
) {
  const { id: chatAccountId } = yield* givenNumber(organization)
  const { id: templateId } = yield* givenTemplate(organization, { chatAccountId, status: "approved" })
  const schedule = { at: DateTime.add(yield* DateTime.now, { days: 1 }) }
  return yield* givenBroadcast(organization, { chatAccountId, templateId, audience: {}, schedule, ...said })
})

/** A broadcast that starts tomorrow. */
export const givenScheduledBroadcast = (organization: Organization) =>
  Effect.flatMap(givenReadyBroadcast(organization), ({ id }) =>
    scheduleBroadcast(id, {}, null).pipe(inside(organization), Effect.orDie)
  )

/** A broadcast that has started. */
export const givenSentBroadcast = (organization: Organization) =>
  Effect.flatMap(givenReadyBroadcast(organization, { schedule: null }), ({ id }) =>
    sendBroadcast(id, {}, null).pipe(inside(organization), Effect.orDie)
  )

/** A broadcast that somebody has paused. */
export const givenPausedBroadcast = (organization: Organization) =>
  Effect.flatMap(givenSentBroadcast(organization), ({ id }) =>
    pauseBroadcast(id).pipe(inside(organization), Effect.orDie)
  )
