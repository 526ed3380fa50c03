import { Effect, Schema, Stream } from "effect"
import { CurrentOrganization, OrganizationId, useCase } from "../../../kernel/index.ts"
import { allOrganizations } from "../allOrganizations.ts"
import { requireKnown } from "../requireKnown.ts"
import type { SubscriberName } from "../Subscriber.ts"
import { ParkedEvent } from "../Subscription.ts"
import { Subscriptions } from "../Subscriptions.ts"

/** A parked event, and whose log it stands in. */
export const ShownParkedEvent = Schema.Struct({
  ...ParkedEvent.fields,
  organizationId: OrganizationId,
  /** Its slug. */
  organization: Schema.String
})
export type ShownParkedEvent = typeof ShownParkedEvent.Type

/** Which parked events to show; every part that is set must hold. */
export interface ParkedEventFilter {
  readonly subscriber: SubscriberName | null
  readonly organizationId: OrganizationId | null
}

/** Shows an operator what subscribers could not handle: organization by organization, the earliest first, so many at most. */
export const listParkedEvents = useCase(
  "subscribers.listParked",
  { access: "operator" },
  Effect.fnUntraced(function* ({ organizationId, subscriber }: ParkedEventFilter, limit: number) {
    if (subscriber !== null) yield* requireKnown(subscriber)
    const subscriptions = yield* Subscriptions
    const found = allOrganizations.pipe(
      Stream.filter(({ id }) => organizationId === null || id === organizationId),
      Stream.mapEffect(({ id, slug }) =>
        Effect.map(
          Effect.provideService(subscriptions.listParked(subscriber, { limit, after: null }), CurrentOrganization, {
            id
          }),
          (events) => events.map((event): ShownParkedEvent => ({ ...event, organizationId: id, organization: slug }))
        )
      ),
      Stream.flattenIterable,
      Stream.take(limit)
    )
    return yield* Stream.runCollect(found)
  })
)
