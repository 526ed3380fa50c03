import { Effect } from "effect"
import {
  CurrentActor,
  type Fault,
  holds,
  invalid,
  PermissionDenied,
  permissionsOf,
  permissionsThatShow,
  ValidationFailed
} from "../../kernel/index.ts"
import { EventTypes, type KnownEventType } from "../../platform/events/index.ts"
import { type EventFilter, isMeantBy, readEventFilter, typesMeantBy } from "./EventFilter.ts"
import { WebhookSender, WebhookSettings } from "./WebhookSender.ts"
import type { WebhookSubscription } from "./WebhookSubscription.ts"
import { faultsOfHeaders } from "./requestHeaders.ts"
import { faultOfUrl, hostOfUrl, isLoopbackUrl } from "./webhookUrls.ts"

/** What is checked of a subscription when it is written. */
interface Written {
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly filter: EventFilter
  readonly headers: ReadonlyArray<string>
}

/** All fields that events have. */
export const fieldsOf = (types: ReadonlyMap<string, KnownEventType>): ReadonlySet<string> =>
  new Set(Array.from(types.values()).flatMap(({ fields }) => fields))

const faultOf = Effect.fnUntraced(function* (url: string) {
  const { loopback, publicUrl } = yield* WebhookSettings
  return faultOfUrl(url, { loopback, ownHost: hostOfUrl(publicUrl) })
})

/** Refuses an address whose host has addresses that are not public. It asks outside, so no unit of work is open. */
export const checkAddress = Effect.fnUntraced(function* (url: string) {
  if ((yield* faultOf(url)) !== null) return
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
    const meant = Array.from(types.values()).filter(({ type }) => isMeantBy(type, pattern))
    const [first] = meant
    if (first === undefined || meant.some(({ permission }) => holds(actor, permission))) continue
    return yield* new PermissionDenied({ permission: first.permission })
  }
})

/** Refuses what a subscription cannot be, and says every fault at once. */
export const checkWritten = Effect.fnUntraced(function* ({ events, filter, headers, url }: Written) {
  const types = yield* EventTypes
  const urlFault = yield* faultOf(url)
  const faults: ReadonlyArray<Fault> = [
    ...(urlFault === null ? [] : [{ pointer: "/url", message: urlFault }]),
    ...events.flatMap((pattern, index) =>
      pattern === "*" || typesMeantBy(types.keys(), [pattern]).length > 0
        ? []
        : [{ pointer: `/events/${index}`, message: "There is no event of this type" }]
    ),
    ...readEventFilter(filter, "/filter", fieldsOf(types)).faults,
    ...faultsOfHeaders(headers)
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
    patterns.some((pattern) => isMeantBy(type, pattern))
  )
  const asked = meant.flatMap(({ permission, resourcePermission, resourceShownWith }) =>
    payload === "full" && held.has(permission) && resourcePermission !== null
      ? [permission, resourcePermission, ...resourceShownWith.flatMap(permissionsThatShow)]
      : [permission]
  )
  return Array.from(new Set(asked))
    .filter((permission) => held.has(permission))
    .toSorted()
})
