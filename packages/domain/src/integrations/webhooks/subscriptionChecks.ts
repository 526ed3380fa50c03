import { Effect } from "effect"
import {
  CurrentActor,
  type ValidationIssue,
  hasPermission,
  hostOfUrl,
  invalid,
  isLoopbackUrl,
  PermissionDenied,
  permissionsOf,
  urlIssue,
  viewPermissions,
  ValidationFailed,
  withNearestNames
} from "../../kernel/index.ts"
import { EventTypes, type EventTypeInfo } from "../../platform/events/index.ts"
import { type EventFilter, matchesPattern, readEventFilter, matchingTypes } from "./EventFilter.ts"
import { WebhookSender, WebhookSettings } from "./WebhookSender.ts"
import type { WebhookSubscription } from "./WebhookSubscription.ts"
import { validateHeaderNames } from "./requestHeaders.ts"

/** Validated fields of a subscription. */
interface SubscriptionInput {
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly filter: EventFilter
  readonly headers: ReadonlyArray<string>
}

/** Returns all fields of events. */
export const fieldsOf = (types: ReadonlyMap<string, EventTypeInfo>): ReadonlySet<string> =>
  new Set(Array.from(types.values()).flatMap(({ fields }) => fields))

/** Issue of an event type that does not exist, with similar types. */
export const unknownEventIssue = (
  pointer: string,
  written: string,
  types: ReadonlyMap<string, EventTypeInfo>
): ValidationIssue => ({
  pointer,
  message: withNearestNames("There is no event of this type", written, [...types.keys()])
})

/** Returns the problem in the text of a URL that Parley calls; `null` if valid. */
export const outboundUrlIssue = Effect.fnUntraced(function* (url: string) {
  const { loopback, publicUrl } = yield* WebhookSettings
  return urlIssue(url, { loopback, ownHost: hostOfUrl(publicUrl) })
})

/** Fails if the URL's host has non-public addresses. Uses the network, so call it outside a unit of work. */
export const checkAddress = Effect.fnUntraced(function* (url: string) {
  if ((yield* outboundUrlIssue(url)) !== null) return
  const { loopback } = yield* WebhookSettings
  if (loopback && isLoopbackUrl(url)) return
  if (yield* (yield* WebhookSender).isPublic(url)) return
  return yield* invalid("/url", "Expected a host with addresses of the public Internet only")
})

/** Fails for an event type that does not exist or that the actor cannot see. */
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

/** Validates the input of a subscription, and reports all errors together. */
export const checkSubscriptionInput = Effect.fnUntraced(function* ({
  events,
  filter,
  headers,
  url
}: SubscriptionInput) {
  const types = yield* EventTypes
  const urlFault = yield* outboundUrlIssue(url)
  const faults: ReadonlyArray<ValidationIssue> = [
    ...(urlFault === null ? [] : [{ pointer: "/url", message: urlFault }]),
    ...events.flatMap((pattern, index) =>
      pattern === "*" || matchingTypes(types.keys(), [pattern]).length > 0
        ? []
        : [unknownEventIssue(`/events/${index}`, pattern, types)]
    ),
    ...readEventFilter(filter, "/filter", fieldsOf(types)).faults,
    ...validateHeaderNames(headers)
  ]
  if (faults.length > 0) return yield* new ValidationFailed({ errors: faults })
  return yield* checkEvents(events)
})

/**
 * Returns the actor's permissions for these events and, with full payload, for their resources. Deliveries stay limited to them, even if the
 * actor's permissions change.
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
