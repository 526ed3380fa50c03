import { Effect } from "effect"
import {
  CurrentActor,
  type ValidationIssue,
  hasPermission,
  invalid,
  PermissionDenied,
  permissionsOf,
  viewPermissions,
  ValidationFailed
} from "../../kernel/index.ts"
import { EventTypes, type EventTypeInfo } from "../../platform/events/index.ts"
import { type EventFilter, matchesPattern, readEventFilter, matchingTypes } from "./EventFilter.ts"
import { WebhookSender, WebhookSettings } from "./WebhookSender.ts"
import type { WebhookSubscription } from "./WebhookSubscription.ts"
import { validateHeaderNames } from "./requestHeaders.ts"
import { urlIssue, hostOfUrl, isLoopbackUrl } from "./webhookUrls.ts"

/** What is checked of a subscription when it is written. */
interface SubscriptionInput {
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly filter: EventFilter
  readonly headers: ReadonlyArray<string>
}

/** All fields that events have. */
export const fieldsOf = (types: ReadonlyMap<string, EventTypeInfo>): ReadonlySet<string> =>
  new Set(Array.from(types.values()).flatMap(({ fields }) => fields))

const subscriptionUrlIssue = Effect.fnUntraced(function* (url: string) {
  const { loopback, publicUrl } = yield* WebhookSettings
  return urlIssue(url, { loopback, ownHost: hostOfUrl(publicUrl) })
})

/** Refuses an address whose host has addresses that are not public. It asks outside, so no unit of work is open. */
export const checkAddress = Effect.fnUntraced(function* (url: string) {
  if ((yield* subscriptionUrlIssue(url)) !== null) return
  const { loopback } = yield* WebhookSettings
  if (loopback && isLoopbackUrl(url)) return
  if (yield* (yield* WebhookSender).isPublic(url)) return
  return yield* invalid("/url", "Expected a host with addresses of the public Internet only")
})

/** Refuses a type of event that there is not, or that whoever writes may not see. */
const checkEvents = Effect.fnUntraced(function* (patterns: ReadonlyArray<string>) {
  const types = yield* EventTypes
  const actor = yield* CurrentActor
  for (const pattern of patterns) {
    if (pattern === "*") continue
    const meant = Array.from(types.values()).filter(({ type }) => matchesPattern(type, pattern))
    const [first] = meant
    if (first === undefined || meant.some(({ permission }) => hasPermission(actor, permission))) continue
    return yield* new PermissionDenied({ permission: first.permission })
  }
})

/** Refuses what a subscription cannot be, and says every fault at once. */
export const checkSubscriptionInput = Effect.fnUntraced(function* ({
  events,
  filter,
  headers,
  url
}: SubscriptionInput) {
  const types = yield* EventTypes
  const urlFault = yield* subscriptionUrlIssue(url)
  const faults: ReadonlyArray<ValidationIssue> = [
    ...(urlFault === null ? [] : [{ pointer: "/url", message: urlFault }]),
    ...events.flatMap((pattern, index) =>
      pattern === "*" || matchingTypes(types.keys(), [pattern]).length > 0
        ? []
        : [{ pointer: `/events/${index}`, message: "There is no event of this type" }]
    ),
    ...readEventFilter(filter, "/filter", fieldsOf(types)).faults,
    ...validateHeaderNames(headers)
  ]
  if (faults.length > 0) return yield* new ValidationFailed({ errors: faults })
  return yield* checkEvents(events)
})

/**
 * What whoever writes may see of these events, and of what they are about where that is delivered, too: nothing else is delivered,
 * whatever becomes of them.
 */
export const frozenPermissions = Effect.fnUntraced(function* (
  patterns: ReadonlyArray<string>,
  payload: WebhookSubscription["payload"]
) {
  const held = permissionsOf(yield* CurrentActor)
  const meant = Array.from((yield* EventTypes).values()).filter(({ type }) =>
    patterns.some((pattern) => matchesPattern(type, pattern))
  )
  const asked = meant.flatMap(({ permission, resourcePermission, resourceShownWith }) =>
    payload === "full" && held.has(permission) && resourcePermission !== null
      ? [permission, resourcePermission, ...resourceShownWith.flatMap(viewPermissions)]
      : [permission]
  )
  return Array.from(new Set(asked))
    .filter((permission) => held.has(permission))
    .toSorted()
})
