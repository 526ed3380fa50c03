import { Effect } from "effect"
import {
  CurrentActor,
  holds,
  invalid,
  type Permission,
  PermissionDenied,
  ValidationFailed
} from "../../kernel/index.ts"
import { hostOfUrl, isLoopbackUrl, WebhookSender, WebhookSettings } from "../webhooks/index.ts"
import { EventTypes } from "../../platform/events/index.ts"
import { areSame } from "./grants.ts"
import { faultsOfManifest } from "./manifests/faultsOfManifest.ts"
import type { PluginManifest } from "./manifests/PluginManifest.ts"

/** Refuses a manifest with everything that is wrong with it. `place` is where it stands in the request. */
export const checkManifest = Effect.fnUntraced(function* (manifest: PluginManifest, place: string) {
  const { loopback, publicUrl } = yield* WebhookSettings
  const types = yield* EventTypes
  const faults = faultsOfManifest(manifest, { loopback, ownHost: hostOfUrl(publicUrl), types })
  if (faults.length === 0) return
  return yield* new ValidationFailed({
    errors: faults.map(({ message, pointer }) => ({ pointer: place + pointer, message }))
  })
})

/** Refuses a plugin whose host has addresses that are not public. It asks outside, so no unit of work is open. */
export const checkHost = Effect.fnUntraced(function* ({ baseUrl }: PluginManifest, place: string) {
  const { loopback } = yield* WebhookSettings
  if (loopback && isLoopbackUrl(baseUrl)) return
  if (yield* (yield* WebhookSender).isPublic(baseUrl)) return
  return yield* invalid(`${place}/baseUrl`, "Expected a host with addresses of the public Internet only")
})

/** Refuses grants that are not exactly what is asked for, or that whoever grants them does not hold. */
export const checkGrants = Effect.fnUntraced(function* (
  { permissions }: PluginManifest,
  grants: ReadonlyArray<Permission>
) {
  const actor = yield* CurrentActor
  const missing = grants.find((permission) => !holds(actor, permission))
  if (missing !== undefined) return yield* new PermissionDenied({ permission: missing })
  if (areSame(permissions, grants)) return
  const asked = permissions.length === 0 ? "none" : permissions.join(", ")
  return yield* invalid("/grants", `Expected exactly the permissions that the plugin asks for: ${asked}`)
})
